"""Commands about conduct: `trickbook moderation`."""
