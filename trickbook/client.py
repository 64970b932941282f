"""The client of a server (docs/client.md)."""

from api.client import ClientError, InboxEntry, Moment, NoAnswer, Refusal, Server, Table, UnexpectedAnswer

__all__ = ["ClientError", "InboxEntry", "Moment", "NoAnswer", "Refusal", "Server", "Table", "UnexpectedAnswer"]
