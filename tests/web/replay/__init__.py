"""The replay of a game, what-ifs, and hands in pages of other sites."""
