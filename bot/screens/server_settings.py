"""The settings of a server, as its admins see and type them."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from adapters.port import Limits, UserRef
from bot.locale import Translator, gettext_noop
from bot.model.server_choices import OFF, ON, ServerChoice
from bot.model.standings import Standing

# The headings of the list of settings, in order.
OF_RULES = gettext_noop("Rules of new tables")
OF_TEXTS = gettext_noop("Language and texts")
OF_LOOKS = gettext_noop("How tables look")
HEADINGS = (OF_RULES, OF_TEXTS, OF_LOOKS)

ON_OR_OFF: Mapping[str, str] = {ON: gettext_noop("on"), OFF: gettext_noop("off")}

# A player in the examples.
EXAMPLE_PLAYER = Standing(UserRef("", ""), "Boris", 9, 5, draws=0, first_out=0, expected=3.0, cards=2)


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSetting(ServerChoice):
    """A setting of a server, as its admins see it.

    Attributes:
        rank: Its place among all settings; the lowest comes first.
        label: Its name on buttons.
        words: The names of its values, by their typed forms.
        about: A sentence that explains it.
        heading: Its part of the list of settings; empty if it isn't in that list.
        example: Returns what it looks like in a chat. Only settings around the game have an example; these
            are in a separate list, and make no sense if somebody plays alone.
        is_news: Whether it posts automatically, at the appointment of its name, in the room where it was
            switched on.
        has_own_screen: Whether pressing it opens a screen instead of toggling it.
        works_in: Returns whether a chat supports it; other chats don't offer it.
    """

    rank: int
    label: str
    words: Mapping[str, str] = field(default_factory=lambda: ON_OR_OFF)
    about: str = ""
    heading: str = ""
    example: Callable[[Translator], str] | None = None
    is_news: bool = False
    has_own_screen: bool = False
    works_in: Callable[[Limits], bool] = lambda limits: True

    @property
    def is_around_the_game(self) -> bool:
        """Whether it is about the time between games."""
        return self.example is not None

    @property
    def is_switch(self) -> bool:
        """Whether its only values are on and off."""
        return set(self.values) == {ON, OFF}


class ServerSettings:
    """All settings of servers, in the order in which they are shown."""

    def __init__(self, settings: Iterable[ServerSetting]) -> None:
        ordered = sorted(settings, key=lambda setting: setting.rank)
        self._by_name = {setting.name: setting for setting in ordered}

    def __iter__(self) -> Iterator[ServerSetting]:
        return iter(self._by_name.values())

    def __getitem__(self, name: str) -> ServerSetting:
        return self._by_name[name]

    def working_in(self, limits: Limits) -> "ServerSettings":
        """Returns the settings that a chat supports."""
        return ServerSettings(setting for setting in self if setting.works_in(limits))

    @property
    def names(self) -> list[str]:
        """The names to type after `/settings`, in order."""
        return list(self._by_name)

    @property
    def around_the_game(self) -> list[ServerSetting]:
        """The settings for the time between games."""
        return [setting for setting in self if setting.is_around_the_game]
