"""The bot: combines the engine, the chats and the database into tables that people play at."""
