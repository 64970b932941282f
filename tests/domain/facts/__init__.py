"""Facts and commands: their bytes, tables and authors."""
