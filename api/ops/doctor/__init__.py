"""`trickbook doctor`: looks at a set-up, and says what's wrong with it and what to do. It changes nothing."""
