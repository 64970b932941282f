"""The processes of a server, and what they do by themselves."""
