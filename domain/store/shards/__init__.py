"""The log in shards: each has a table, a lock, an order and positions of its own. A game's id names its shard."""
