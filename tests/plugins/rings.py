"""Which tests run, on which store, in which order and in which worker: the options of the three rings.

`make check` is `--quick`, `make test` has no option of its own, and `make everything` runs the slow tests as well, on
both stores.
"""

import sys
from importlib import import_module
from random import Random
from typing import Any
from zlib import crc32

import pytest

STORES = ("sqlite", "postgres")
GROUPS = {
    "village": "village",
    "browser": "browser",
    "program_path": "program",
    **dict.fromkeys(
        ("shared_server", "asking_server", "configured_server", "impatient_server", "two_servers"), "server"
    ),
}
"""Fixtures that one worker alone makes, and the group of their tests.

Browsers come first, as they take longest: one for the pages of the server that all share, and one for the others.
"""
STARTERS = {*GROUPS, "postgres_server", "postgres_cluster", "engine"}
"""Fixtures that start processes."""
ABOUT_STORES = (
    "tests/api/accounts/",
    "tests/api/nodes/",
    "tests/api/ops/",
    "tests/domain/",
    "tests/projections/",
)
"""Folders whose subject is the store, its lists, or the accounts: their tests run on both, `lengthy` ones on one."""
PLUGINS = {
    "--compare-statements": ("tests.plugins.statements", "Statements"),
    "--slowest": ("tests.plugins.slowest", "Slowest"),
}


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let the command choose."""
    parser.addoption(
        "--stores",
        choices=("chosen", "both", *STORES),
        default="chosen",
        help="on which stores tests run: `chosen` is both for tests about stores, and else one by the test's id",
    )
    for name, does in {
        "--quick": "leave out PostgreSQL and all that starts a process or takes seconds",
        "--compare-statements": "fail if an SQL statement of accounts or lists ran on one store alone",
        "--slowest": "print where the time goes, and write it into CONTRIBUTING.md",
    }.items():
        parser.addoption(name, action="store_true", help=does)
    parser.addoption("--order", metavar="TEXT", help="shuffle modules and their tests, as this text decides")


def load_plugins(config: pytest.Config) -> None:
    """Load what the options ask for."""
    for option, (module, plugin) in PLUGINS.items():
        if config.getoption(option):
            config.pluginmanager.register(getattr(import_module(module), plugin)())


SLOW_S = 3600
"""How long a slow test may take on a busy machine, unless it says so itself."""


def _refuse_processes(event: str, arguments: tuple[object, ...]) -> None:
    if event in ("subprocess.Popen", "os.fork", "os.posix_spawn"):
        raise AssertionError(f"A test of the quick round starts a process. Mark it `process`: {arguments[:2]}")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what the options don't choose, and put the rest into order."""
    for item in items:
        if item.get_closest_marker("slow") and item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(SLOW_S))
    quick: bool = config.getoption("--quick")
    chosen = "sqlite" if quick else config.getoption("--stores")
    runs = [is_of_store(item, chosen) and not (quick and _takes_long(item)) for item in items]
    config.hook.pytest_deselected(items=[item for item, here in zip(items, runs, strict=True) if not here])
    items[:] = [item for item, here in zip(items, runs, strict=True) if here]
    if quick:
        sys.addaudithook(_refuse_processes)
    if (order := config.getoption("--order")) is not None:
        _shuffle(items, Random(order))
    _group(items)
    if getattr(config.option, "loadgroup", False):
        for item in items:
            _append_group(item)


def is_about_stores(item: pytest.Item) -> bool:
    """Return whether a test runs on both stores."""
    if item.get_closest_marker("both_stores") is not None:
        return True
    return item.nodeid.startswith(ABOUT_STORES) and item.get_closest_marker("lengthy") is None


def is_of_store(item: pytest.Item, chosen: str) -> bool:
    """Return whether a test runs with an option of `--stores`."""
    values = vars(item)["callspec"].params.values() if "callspec" in vars(item) else ()
    store: str | None = next((each for each in values if each in STORES), None)
    if store is None or chosen == "both" or (chosen == "chosen" and is_about_stores(item)):
        return True
    twins = item.nodeid.replace(store, "")
    return store == (STORES[crc32(twins.encode()) % 2] if chosen == "chosen" else chosen)


def _takes_long(item: pytest.Item) -> bool:
    """Return whether a test starts a process or takes seconds, by its markers and its fixtures."""
    marked = any(item.get_closest_marker(name) for name in ("process", "lengthy"))
    return marked or not STARTERS.isdisjoint(vars(item)["fixturenames"])


def _shuffle(items: list[pytest.Item], chance: Random) -> None:
    """Shuffle the modules, and the tests in each: a fixture of a module lives as long as its tests run."""
    modules = [item.nodeid.partition("::")[0] for item in items]
    places = {name: chance.random() for name in dict.fromkeys(modules)}
    order = sorted((places[name], chance.random(), at) for at, name in enumerate(modules))
    items[:] = [items[at] for _, _, at in order]


def _group(items: list[pytest.Item]) -> None:
    """Let one worker run all tests of a group, and begin with groups, the browsers first, then what takes long.

    The tests of a module that has fixtures of its own are a group, so that one worker alone makes these.
    """
    for item in items:
        name = next((GROUPS[each] for each in GROUPS if each in vars(item)["fixturenames"]), None)
        if name := name or _group_of(item) or _module_of(item):
            item.add_marker(pytest.mark.xdist_group(name))
    groups = [*dict.fromkeys([*GROUPS.values(), *filter(None, map(_group_of, items))])]
    places = {group: place for place, group in enumerate(groups)}
    items.sort(key=lambda item: places.get(str(_group_of(item)), len(places) + (not _takes_long(item))))


def _module_of(item: pytest.Item) -> str | None:
    """Return the module of a test that uses a fixture which a module makes once, or its folder if a folder does."""
    made = [each[-1] for each in vars(item)["_fixtureinfo"].name2fixturedefs.values()]
    scopes = {each.scope for each in made if not each.argname.startswith("_")}
    module = item.nodeid.partition("::")[0]
    return module.rpartition("/")[0] if "package" in scopes else module if "module" in scopes else None


def _append_group(item: pytest.Item) -> None:
    """Append the group to the id, which tells xdist's scheduler. xdist 3.8 sets `_nodeid`; pytest 9.2 reads `_id`."""
    if (group := _group_of(item)) is not None:
        named: Any = item
        named._id = import_module("_pytest.nodeid").coerce_node_id(f"{item.nodeid}@{group}")


def _group_of(node: pytest.Item | pytest.Collector) -> str | None:
    marker = node.get_closest_marker("xdist_group")
    return None if marker is None else str(marker.args[0])


def id_of(node: pytest.Item | pytest.Collector) -> str:
    """Return a test's id without its group, which xdist appends."""
    return node.nodeid.removesuffix(f"@{_group_of(node)}")
