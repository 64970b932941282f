"""What players may do to each other: blocks, reports and moderation."""
