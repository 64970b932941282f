"""Work for accounts without a request: erasing people who left, resigning their seats, sending mail."""
