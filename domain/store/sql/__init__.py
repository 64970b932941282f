"""SQL databases: connections to SQLite files and PostgreSQL servers, and groups of tables that either may keep."""
