"""What people do: what comes in from the chats, and what it is answered with."""
