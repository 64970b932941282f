"""The hosts of a PostgreSQL URL, in the order in which to try them: one that hangs costs each attempt its time-out."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from psycopg import Connection
from psycopg.conninfo import conninfo_to_dict

LISTS = ("host", "hostaddr", "port")
"""The parameters that have a value for each host, or one for all."""


class HostOrder:
    """The hosts of a URL. The one that answered last comes first, and one that failed comes last.

    Safe for concurrent use by several threads: each change replaces the order.
    """

    def __init__(self, url: str) -> None:
        given = conninfo_to_dict(url)
        self._values = {name: str(given[name]).split(",") for name in LISTS if given.get(name)}
        self._order = tuple(range(max((len(values) for values in self._values.values()), default=1)))

    @property
    def count(self) -> int:
        """The number of hosts."""
        return len(self._order)

    def arrange(self, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Return psycopg's parameters for a URL with its hosts in the order in which to try them."""
        order, several = self._order, {name: each for name, each in self._values.items() if len(each) > 1}
        return {**parameters, **{name: ",".join(values[at] for at in order) for name, values in several.items()}}

    def connected(self, connection: Connection[Any]) -> None:
        """Put the host of a connection first."""
        found = [at for at in self._order if self._leads_to(at, connection)]
        self._order = (*found, *(at for at in self._order if at not in found))

    def failed(self) -> None:
        """Put the first host last, since no host answered an attempt that began with it."""
        first, *others = self._order
        self._order = (*others, first)

    def _leads_to(self, at: int, connection: Connection[Any]) -> bool:
        reached = {
            "host": connection.info.host,
            "hostaddr": connection.info.hostaddr,
            "port": str(connection.info.port),
        }
        return all(values[at] == reached[name] for name, values in self._values.items() if len(values) > 1)


hosts_of = cache(HostOrder)
"""The order that all connections of this process to one URL share."""
