"""Two nodes for hours, with all ways in and kills: what they hold is sampled, and growth is told from a leak."""
