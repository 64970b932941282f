"""Routes of tables before the deal: open, claim, leave, start, invite, ask for a rematch."""
