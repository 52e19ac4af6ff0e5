"""What people see gets sent: which message shows what, and when it may be sent."""
