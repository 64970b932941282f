"""The commands of `trickbook`."""
