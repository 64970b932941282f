"""What a suspended or banned player may still ask for: their own account, and an appeal."""

import re

from flask import Request

from api.accounts.users import User
from api.http.context import current_services
from api.services.conduct.standing import require_standing

READS = ("GET", "HEAD", "OPTIONS")
OWN_ACCOUNT = re.compile("/api/v1/(me(/.*)?|tokens/current)")


def check_standing(request: Request, player: User | None) -> None:
    """Answer 403 `banned`, or 403 `suspended` unless the request only reads."""
    if player is None:
        return
    own = OWN_ACCOUNT.fullmatch(request.path) is not None
    require_standing(current_services().accounts.steps, player.id, reads=request.method in READS, own=own)
