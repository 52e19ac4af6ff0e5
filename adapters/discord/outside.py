"""Discord's channels that the bot is not a member of: groups of friends, and servers that have not added it.

Somebody there has installed the bot for themselves. It can only answer commands and presses. The token of
each allows it to edit the message for fifteen minutes. After that, games there wait until the next press on
the message brings a new token.
"""

from dataclasses import replace

from adapters import port
from adapters.discord.refs import OUTSIDE
from adapters.discord.render import LIMITS

OUTSIDE_LIMITS = replace(
    port.limits_outside(LIMITS),
    questions=False,  # a box would be the first answer, in place of the one that makes the message editable
)


class OutsideChats(port.OutsideChat):
    """Implements `port.Chat` for channels without the bot."""

    platform = OUTSIDE
    limits = OUTSIDE_LIMITS

    async def edit(self, ref: port.MessageRef, screen: port.Screen) -> port.Delivery:
        """Makes a message show `screen`; the room counts as closed until the next press on its message."""
        delivery = await self.member.edit(ref, screen)
        if ref.platform != OUTSIDE or not isinstance(delivery, port.Gone):
            return delivery

        is_out_of_reach = delivery.what is port.Lost.MESSAGE
        return port.Gone(port.Lost.ROOM, delivery.why) if is_out_of_reach else delivery

    async def delete(self, ref: port.MessageRef) -> port.Delivery:
        """Removes a message, if an interaction can still do that."""
        return await self.member.delete(ref)
