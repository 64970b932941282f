"""Commands that maintain the stores: tables, lists built from the log, games in quarantine, and the server's clock."""
