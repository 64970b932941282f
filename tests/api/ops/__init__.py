"""What an operator does: settings, backups, checks and repairs."""
