"""The questions of docs/questions.md about a hand."""
