"""The rights of each kind of caller on each route."""
