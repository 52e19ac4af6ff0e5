"""Renders the game as pictures, PNG or GIF files, from public facts or from one hand.

The code contains no words of any language: names, titles and letters of ranks come from the caller.
"""
