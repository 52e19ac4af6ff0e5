"""What people see: functions from a table's public facts, or one seat's view, to screens."""
