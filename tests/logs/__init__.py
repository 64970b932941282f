"""The rows of a store's log, read and changed behind the server's back."""
