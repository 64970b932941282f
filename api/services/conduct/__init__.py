"""What happens between people: the chat of a game, reports, and the work of moderators."""
