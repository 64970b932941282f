"""Tables: they form, seats are asked for, offered and handed over, and the game is dealt."""
