"""`trickbook play`: a table in a terminal over the network, live, for people (docs/terminal.md)."""
