"""Commands that the server gives without a request."""

import secrets


def new_command_id() -> str:
    """Return an id for a command without a request."""
    return f"{secrets.token_hex(8)}-{secrets.token_hex(8)}"
