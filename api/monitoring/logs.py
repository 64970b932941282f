"""Logs: one JSON object on each line of standard error or a file, in the same form in every process.

A line is ASCII. Line breaks and control characters of clients are escaped, so that no client can forge or color a line.
"""

import json
import logging
import sys
import time
from contextvars import ContextVar
from functools import lru_cache
from logging.handlers import WatchedFileHandler
from pathlib import Path

from api.config import Config

REQUEST_ID: ContextVar[str | None] = ContextVar("request_id", default=None)
"""The id of the request that this context answers; every line that is logged meanwhile carries it."""
PROGRAM = "trickbook"
RESERVED = frozenset(("time", "level", "logger", "message", "request", "trace"))


class JsonFormatter(logging.Formatter):
    """Formats a record as `{"time", "level", "logger", "message", "request", ..., "trace"}`; `time` is in UTC."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line without its end. `request` and `trace` are there only if there is a request or an error."""
        second, microsecond = divmod(int(record.created * 1_000_000), 1_000_000)
        line: dict[str, object] = {
            "time": f"{_format_second(second)}.{microsecond:06}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if (request_id := REQUEST_ID.get()) is not None:
            line["request"] = request_id
        line |= getattr(record, "fields", {})
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return _encode(line)


_encode = json.JSONEncoder(default=str).encode


@lru_cache(maxsize=4)
def _format_second(second: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(second))


def log_event(logger: logging.Logger, event: str, level: int = logging.INFO, **fields: object) -> None:
    """Log an event with fields of its own, as JSON values. A field must never hold a token, password, card or seed."""
    if taken := RESERVED & fields.keys():
        raise ValueError(f"every line has its own {', '.join(sorted(taken))}")
    if logger.isEnabledFor(level):  # without a search for the caller's line, which no line of the log has
        logger.handle(logger.makeRecord(logger.name, level, __file__, 0, event, (), None, extra={"fields": fields}))


class LogFile(WatchedFileHandler):
    """A log file that another program may move away: the next line of each process goes into a new one."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write a line. If the file can't be opened, standard error gets the reason, and the caller goes on."""
        try:
            super().emit(record)
        except OSError:
            self.handleError(record)


def has_log_file() -> bool:
    return any(isinstance(each, LogFile) for each in logging.getLogger().handlers)


def setup_logging(config: Config, *, alone: bool = True, file: Path | None = None) -> None:
    """Log to a file or standard error: trickbook from the configured level on, libraries from `warning` on.

    Unless it's `alone` in its process, another program logs there in a form of its own. Raise OSError if the file can't
    be opened.
    """
    handler = logging.StreamHandler(sys.stderr) if file is None else LogFile(file, encoding="ascii")
    handler.setFormatter(JsonFormatter())
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
    logging.getLogger(PROGRAM).setLevel(config.log.upper())
    if alone:  # no line has these
        logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
