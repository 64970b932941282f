"""Disputes and rulings over HTTP."""
