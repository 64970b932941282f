"""The time of a simulation: it passes only when the simulation says so, and a server's clock may jump."""

from datetime import UTC, datetime

BEGUN_US = int(datetime(2026, 3, 2, 8, tzinfo=UTC).timestamp()) * 1_000_000
EVENT_TIME = "%Y-%m-%dT%H:%M:%S.%fZ"


class SimulatedTime:
    """The true time in microseconds since 1970. Each reading takes a microsecond, so that no two are equal."""

    def __init__(self) -> None:
        self._now_us = BEGUN_US

    def now_us(self) -> int:
        """Return the true time."""
        self._now_us += 1
        return self._now_us

    def seconds(self) -> float:
        """Return the true time in seconds, for what measures how long something takes."""
        return self.now_us() / 1_000_000

    def steady_us(self) -> int:
        """Return a counter that nobody can set."""
        return self.now_us() - BEGUN_US

    def pass_s(self, seconds: float) -> None:
        """Let time pass."""
        self._now_us += int(seconds * 1_000_000)


class MachineClock:
    """The clock of a server's machine: the true time, unless somebody sets it."""

    def __init__(self, time: SimulatedTime) -> None:
        self._time, self.ahead_s = time, 0.0

    def __call__(self) -> int:
        return self._time.now_us() + int(self.ahead_s * 1_000_000)


def parse_us(text: str) -> int:
    """Return the time of an event in microseconds since 1970."""
    parsed = datetime.strptime(text, EVENT_TIME).replace(tzinfo=UTC)
    return int(parsed.timestamp()) * 1_000_000 + parsed.microsecond
