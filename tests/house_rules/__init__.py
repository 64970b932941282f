"""House rules as rulebooks: posting, checking by playing, opening."""
