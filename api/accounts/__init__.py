"""The database of accounts, in which all features keep their tables."""
