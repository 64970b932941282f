"""Each benchmark runs, if only for a moment."""
