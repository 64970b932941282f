"""The queue of all that leaves the server: mails, messages to webhooks, and heads of logs for witnesses."""
