"""What players may do to each other, beside the log: blocks, chat, reports, and the steps of moderators."""
