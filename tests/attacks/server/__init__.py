"""Attacks on the server itself: what it reads, and what it runs on."""
