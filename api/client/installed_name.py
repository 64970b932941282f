"""The client as programs import it: the wheel installs this module as `trickbook.client`."""

from api.client import ClientError, InboxEntry, Moment, NoAnswer, Refusal, Server, Table, UnexpectedAnswer

__all__ = ["ClientError", "InboxEntry", "Moment", "NoAnswer", "Refusal", "Server", "Table", "UnexpectedAnswer"]
