"""Routes about what happens between people: blocks, chat, reports and moderation."""
