"""The log on SQLite and PostgreSQL."""
