"""Routes of tables: open, claim, leave, start, invite, ask for a rematch, and seats that change hands."""
