"""kill -9 of each process of the server and of PostgreSQL, under load over HTTP: nothing acknowledged is lost."""
