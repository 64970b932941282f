"""Everybody who does something again and again, in a thread of their own."""

from contextlib import suppress
from threading import Event, Thread

import httpx

from tests.campaigns.traffic.caller import Caller

END_WITHIN_S = 200.0


class Actor:
    """Takes turns until the end, with a rest of `pause_s` before each; `faults` are what went wrong."""

    pause_s = 0.0
    what = ""
    """The acts that the actor has `done`, in the plural."""

    def __init__(self, caller: Caller) -> None:
        self.caller = caller
        self.name = type(self).__name__
        self.tries = self.done = 0
        self.faults: list[str] = []
        self._stop = Event()
        self._thread = Thread(target=self._run, daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop_soon(self) -> None:
        """Stop after the current turn, and don't wait for it."""
        self._stop.set()

    def end(self) -> None:
        """Stop after the current turn."""
        self.stop_soon()
        self._thread.join(END_WITHIN_S)
        assert not self._thread.is_alive(), f"{self.name} still waits"

    def turn(self) -> None:
        """Do something once."""
        raise NotImplementedError

    def _run(self) -> None:
        try:
            while not self._stop.wait(self.pause_s):
                with suppress(httpx.HTTPError):
                    self.turn()
        except Exception as error:  # noqa: BLE001 - the campaign reports it
            self.faults.append(f"{self.name}: {error!r}")

    def _key(self) -> str:
        """Return the key of the next command."""
        self.tries += 1
        return f"{self.name}-{self.tries}"
