"""The rules compared with second implementations, stored hands, and properties of every game."""
