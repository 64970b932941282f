"""What leaves the server by itself: one queue of mails, messages to webhooks and heads for witnesses."""
