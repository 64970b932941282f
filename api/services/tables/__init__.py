"""Tables: who is seated at once and who is asked, rematches, the deal of a full table, and seats that change hands."""
