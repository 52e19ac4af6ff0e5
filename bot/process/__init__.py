"""The process and its owner: commands, logs, health, how it ends, and who keeps chats connected."""
