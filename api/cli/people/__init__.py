"""Commands about users and moderation."""
