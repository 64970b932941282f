"""Tables before the deal: the players who are asked, open seats, invitations, and whom a player lets seat them."""
