"""Conduct: chat, messages, blocks, reports, and the work of moderators."""
