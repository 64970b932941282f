"""Mails that come in."""
