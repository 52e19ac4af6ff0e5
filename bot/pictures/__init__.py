"""Renders the game as pictures: from public facts, or from one hand, to PNG files.

No word of any language is written in here: names, titles and letters of ranks come from the caller.
"""
