"""The bot: composes the engine, the chats and the database into tables people play at."""
