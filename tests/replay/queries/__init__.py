"""The questions of docs/trust.md about a hand."""
