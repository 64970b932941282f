"""The demonstration: whole games through the HTTP API."""
