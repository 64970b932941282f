"""The log in shards, also on several servers."""
