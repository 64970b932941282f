"""Inboxes, requests that wait, and webhooks."""
