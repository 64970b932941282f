"""Times as events have them: text in UTC with six decimals, so that they compare as they stand."""

from datetime import datetime, timedelta


def later(moment: str, *, days: int = 0, seconds: int = 0) -> str | None:
    """So much after `moment`; None for what is no time, and beyond the calendar."""
    try:
        due = datetime.fromisoformat(moment.removesuffix("Z")) + timedelta(days=days, seconds=seconds)
    except (OverflowError, ValueError):
        return None
    return due.isoformat(timespec="microseconds") + "Z"
