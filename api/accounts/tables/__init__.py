"""Tables beside the log: seats that are asked or open, invitations, whom a player lets seat them, offers of seats."""
