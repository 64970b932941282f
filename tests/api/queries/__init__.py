"""The questions of docs/questions.md over HTTP."""
