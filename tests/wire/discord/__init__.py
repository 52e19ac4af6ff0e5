"""A Discord for tests: REST and gateway on one port, with simulated people."""

from tests.wire.discord.activities import CLIENT_SECRET
from tests.wire.discord.errors import ApiError, Refusal
from tests.wire.discord.faults import Fault
from tests.wire.discord.interaction import Callback, Interaction
from tests.wire.discord.people import Community, Person
from tests.wire.discord.server import DiscordServer
from tests.wire.discord.state import TOKEN, DiscordState, until
from tests.wire.discord.world import Account, Channel, Guild, Kind, Message, MessageFlag, Right
