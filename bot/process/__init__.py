"""The process and its owner: commands, logs, health, the end of the process, and the connections to chats."""
