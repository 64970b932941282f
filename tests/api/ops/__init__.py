"""The work of an operator: settings, backups, checks and repairs."""
