"""People: accounts, names, tokens, hours, guests, standings, and all that a person may ask about themselves."""
