"""How much time is left, in words that get finer as it runs out."""

from datetime import UTC, datetime

MINUTE, HOUR, DAY = 60, 3600, 86_400


def time_left(deadline: str, now: datetime) -> str:
    """Return the time until a deadline: `6 days 23 h left`, `3 h 20 min left`, `4:59 left`, or `out of time`."""
    try:
        until = datetime.fromisoformat(deadline)
    except ValueError:
        return "until an unknown time"
    until = until if until.tzinfo else until.replace(tzinfo=UTC)
    seconds = int((until - now).total_seconds())
    if seconds < 0:
        return "out of time"
    return f"{_span(seconds)} left"


def _span(seconds: int) -> str:
    if seconds >= DAY:
        days = seconds // DAY
        return f"{days} {'day' if days == 1 else 'days'} {seconds % DAY // HOUR} h"
    if seconds >= HOUR:
        return f"{seconds // HOUR} h {seconds % HOUR // MINUTE} min"
    return f"{seconds // MINUTE}:{seconds % MINUTE:02}"
