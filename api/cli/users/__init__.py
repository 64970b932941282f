"""The commands of `trickbook user` that change a user who exists."""
