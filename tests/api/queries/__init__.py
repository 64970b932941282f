"""The questions of docs/trust.md over HTTP."""
