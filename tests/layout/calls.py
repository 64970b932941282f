"""The calls of a block of code: which modules of the product run, and where a lower floor calls a higher one."""

import gc
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import FrameType
from typing import NamedTuple

from tests.layout.product import ROOT

PACKAGES = ("domain", "projections", "replay", "api")
FLOORS = (
    "domain.cards domain.rejections domain.struct domain.memo",
    "domain.protocols",
    "domain.rules",
    "domain.events",
    "domain.commands",
    "domain.state",
    "domain.engine domain.evolve",
    "domain.decide",
    "domain.store",
    "projections.moves projections.storage projections.bots",
    "projections.views",
    "projections.lists",
    "projections.ratings",
    "projections.followers",
    "replay.fold",
    "replay.history",
    "replay.rejudge replay.audit",
    "replay.text",
    "replay.queries",
    "api.config api.client",
    "api.accounts api.clock api.*.stored api.monitoring.log_positions api.monitoring.logs api.monitoring.metrics",
    "api.receipts",
    "api.services api.container api.limits api.*.services api.monitoring api.caller api.schemas api.problem",
    "api.http api.ops api.web api.worker",
    "api.commands api.lines api.mail",
    "api.routes api.*.routes api.pages",
    "api.description",
    "api.app",
    "api.server api.wsgi",
    "api.cli",
)
"""The floors from the bottom up, each with its modules and all below them; of two that fit, the longer name counts.

They are the import contracts of 5e4f7846 and those of the layout by features. Don't change them to lower a count.
"""


@cache
def module_of(path: str) -> str | None:
    """Return the name of a file's module, or None outside `PACKAGES`."""
    if not path.startswith(f"{ROOT}/"):
        return None
    parts = Path(path).relative_to(ROOT).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__") if parts[0] in PACKAGES else None


@cache
def floor_of(module: str) -> int:
    """Return the number of a module's floor; 0 is the lowest. Raise ValueError if `FLOORS` has none."""
    names = module.split(".")
    fits = [
        (len(parts), number)
        for number, floor in enumerate(FLOORS)
        for parts in (prefix.split(".") for prefix in floor.split())
        if len(parts) <= len(names) and all(part in ("*", name) for part, name in zip(parts, names, strict=False))
    ]
    if not fits:
        raise ValueError(f"{module} is on no floor: add it to FLOORS")
    return max(fits)[1]


class Function(NamedTuple):
    """A function of the product, or a lambda, comprehension or generator expression in it."""

    module: str
    name: str

    def __str__(self) -> str:
        return f"{self.module}:{self.name}"


@dataclass
class Trip:
    """The calls of a request."""

    calls: int = 0
    pairs: set[tuple[Function | None, Function]] = field(default_factory=set)
    """The functions that were called, each with one that called it, or with None."""

    @contextmanager
    def noting(self) -> Iterator[None]:
        """Note the calls of this thread, and of those that it starts, during the block; forget earlier ones."""
        self.calls, self.pairs = 0, set()
        usual, collects = sys.getprofile(), gc.isenabled()
        gc.disable()  # no finalizer of an older object
        threading.setprofile(self.note)
        sys.setprofile(self.note)
        try:
            yield
        finally:
            sys.setprofile(usual)
            threading.setprofile(usual)
            if collects:
                gc.enable()

    def note(self, frame: FrameType, event: str, _argument: object) -> None:
        """Note a call, as `sys.setprofile` tells it."""
        called = _function(frame) if event == "call" else None
        if called is None:
            return
        self.calls += 1
        above = frame.f_back
        while above is not None and _function(above) is None:
            above = above.f_back
        self.pairs.add((None if above is None else _function(above), called))

    @property
    def modules(self) -> list[str]:
        """The names of the modules, sorted."""
        return sorted({called.module for _, called in self.pairs})

    @property
    def climbs(self) -> list[tuple[Function, Function]]:
        """The functions on a lower floor, each with one on a higher floor that it called, sorted."""
        known = [(caller, called) for caller, called in self.pairs if caller is not None]
        return sorted(pair for pair in known if floor_of(pair[0].module) < floor_of(pair[1].module))


def _function(frame: FrameType) -> Function | None:
    module = module_of(frame.f_code.co_filename)
    return None if module is None else Function(module, frame.f_code.co_qualname)
