"""The client of trickbook's HTTP API (docs/client.md), which other programs import as `trickbook.client`.

    from trickbook.client import Server, Table

    with Server("https://cards.example.org") as server:
        server.guest()
        table = Table.open(server, "pitch", [server.me()["name"], "bot:simple"])
        table.move(table.view()["you"]["legal"][0])
        for moment in table.follow(until=table.view()["version"]):
            print(moment.version, moment.fact)

It imports nothing else of this program, so that it can be used without it.
"""

from api.client.connection import ClientError, NoAnswer, Refusal, UnexpectedAnswer
from api.client.frames import InboxEntry, Moment
from api.client.server import Server
from api.client.table import Table

__all__ = ["ClientError", "InboxEntry", "Moment", "NoAnswer", "Refusal", "Server", "Table", "UnexpectedAnswer"]
