"""Logs, metrics and health, and the watch over the log and the nodes."""
