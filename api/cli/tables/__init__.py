"""The commands of `trickbook table`: what a host may do with tables before the deal."""
