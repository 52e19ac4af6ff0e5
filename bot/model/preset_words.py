"""Words that people type for a preset, beside its name."""

from collections.abc import Mapping

_WORDS: Mapping[str, str] = {
    "podkidnoy-36": "podkidnoy throw-in подкидной дурак підкидний дурень nachlegen primetamas 36",
    "podkidnoy-24": "24",
    "podkidnoy-52": "52",
    "perevodnoy": "transfer переводной перевод переводний переведення schieben schiebedurak"
    " perduodamas pervedamas",
    "wikipedia-de": "german немецкий німецький deutsch wikipedia vokiškas vokiskas",
    "classic": "классика классический класика класичний klassisch klasikinis",
    "durnius": "lithuanian литовский литовський litauisch lietuviškas lietuviskas",
    "durnius-travel": "travel проездной проїзний fahrschein bilietas",
    "pure": "чистый чистий pur grynas",
    "punktedurak": "points очки punkte taškai taskai",
}

# The preset that a word means, in small letters.
PRESET_OF: Mapping[str, str] = {word: preset for preset, words in _WORDS.items() for word in words.split()}
AGAINST_BOTS = "bots"  # the word for a game against house players; it names no rules
