"""The log in an SQLite file: its connections, the recorder of a table, and the errors of a damaged file."""
