"""The budget of requests that read whole games or long lists."""

from flask import Request

from api.http.auth import client_address
from api.http.context import current_player, current_services


def take_heavy_budget(request: Request) -> None:
    """Count a heavy request. Raise LimitReached beyond the budget of its address or its player."""
    services, player = current_services(), current_player()
    services.heavy_by_address.take(client_address(request))
    if player is not None:
        services.heavy_by_player.take(player.id)
