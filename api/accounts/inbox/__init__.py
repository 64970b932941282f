"""What reaches the inboxes of players from the accounts, and their webhooks."""
