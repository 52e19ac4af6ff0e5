"""The chats the bot speaks: they translate and send, and know no rule and no sentence."""
