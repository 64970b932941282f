"""The big check of the description: `make contract`.

Sends random requests to every route, with a token and without, and reads streams of a real server. Prints how many
responses there were, and each request whose response isn't described.
"""

import logging
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from tests.openapi.random_requests import operations_of, send_requests
from tests.openapi.random_streams import open_streaming, read_streams
from tests.openapi.world import World, open_world

EXAMPLES = 100
"""Random requests for each operation, unless an argument says how many."""
Check = tuple[str, Callable[[], Counter[str]]]
"""A name, and what sends the requests and returns how often each status came."""


def main() -> int:
    """Run all checks, print their figures, and return how many failed."""
    logging.disable(logging.CRITICAL)
    examples = int(sys.argv[1]) if len(sys.argv) > 1 else EXAMPLES
    with tempfile.TemporaryDirectory() as data, open_world(Path(data)) as world:
        failed = sum(map(_fails, _checks_of(world, examples)))
    with tempfile.TemporaryDirectory() as data, open_streaming(Path(data)) as server:
        failed += _fails(("streams", partial(read_streams, server, examples)))
    sys.stdout.write(f"{failed} checks failed\n")
    return failed


def _checks_of(world: World, examples: int) -> Iterator[Check]:
    for name, operation in operations_of(world).items():
        yield name, partial(send_requests, world, operation, examples)


def _fails(check: Check) -> bool:
    """Run a check, and print its figures or the request that failed."""
    name, run = check
    try:
        counts = run()
    except (AssertionError, BaseExceptionGroup) as error:
        sys.stdout.write(f"{name}: FAILED\n{error}\n")
        return True
    listed = ", ".join(f"{value}: {count}" for value, count in sorted(counts.items()))
    sys.stdout.write(f"{name}: {counts.total()} ({listed})\n")
    sys.stdout.flush()
    return False


if __name__ == "__main__":
    sys.exit(main())
