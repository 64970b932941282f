"""Tables before the deal: who is seated at once and who is asked, rematches, and the deal once a table is full."""
