"""Mail: boards go out by mail, and moves come in by mail."""
