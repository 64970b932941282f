"""Tests of conduct: blocks, chat, reports, moderation."""
