"""One suite for every chat: the promises that the bot relies on, on any platform.

A chat's test module derives a test class from each contract and gives it a `harness` fixture:

    class TestSending(SendingContract): ...
"""

from tests.adapters.contract.answering import AnsweringContract
from tests.adapters.contract.harness import Answer, Harness, ListeningInbox, Seen, Trait, eventually
from tests.adapters.contract.keeping import KeepingContract
from tests.adapters.contract.outside import OutsideContract
from tests.adapters.contract.picturing import PicturingContract
from tests.adapters.contract.portraits import PortraitContract
from tests.adapters.contract.sending import SendingContract
from tests.adapters.contract.trouble import TroubleContract
