"""Who may watch a game, and how late: the one gate that every read of a game passes (docs/http.md)."""
