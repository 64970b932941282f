"""The process that answers HTTP: waitress around the application, and the errors waitress makes by itself."""
