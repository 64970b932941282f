"""The pages for people: their HTML, their files, and the sessions of browsers."""
