"""The server process: waitress runs the application and answers requests that it can't parse."""
