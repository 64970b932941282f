"""Servers whose machines' clocks jump while people play and much waits: nothing ends that wouldn't have ended."""
