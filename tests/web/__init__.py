"""The second implementation, in JavaScript, and the page that runs it."""
