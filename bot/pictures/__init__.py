"""The game as pictures: functions from what everybody may see, or from one hand, to PNG files.

No word of any language is written in here: names, titles and letters of ranks come from the caller.
"""
