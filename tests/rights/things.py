"""The subjects of requests: tables, reports, links and accounts, new ones for requests that use them up."""

from collections.abc import Callable, Mapping
from typing import Any

from api.mail.services.addresses import MailAddresses
from api.tables.stored.rulebooks import RulebookStatus
from domain.protocols.signed_notes import parse_note
from tests.api.conftest import PASSWORD
from tests.mail.post_office import newest_code
from tests.replay.signing import WITNESS
from tests.rights.world import SEATED, World

Values = Mapping[str, Any]
"""The values that paths and bodies name, such as the reference of a game."""
RULING = {"decision": "none", "basis": "B20", "standard": "recorded", "text": "So it was."}
SMALL: Mapping[str, Callable[[World], Values]] = {
    "nothing": lambda _: {},
    "docs": lambda _: {"file": "docs.js"},
    "suspension": lambda world: {"step": world.step},
    "name": lambda world: {"name": world.new_name()},
    "report": lambda world: {"report": world.report(world.join())},
    "claimed": lambda world: {"report": world.report(world.join(), "moira")},
}
"""Things that need one step."""


class Things:
    """Makes things of each kind: `_table` is a method for the kind `table`, and so on."""

    def __init__(self, world: World) -> None:
        self.world, self.want = world, world.want
        self._unused: dict[tuple[str, str], Values] = {}

    def take(self, kind: str, watch: Values) -> Values:
        """Return the values of a thing that no request has used up, with those of things that are always there."""
        key = kind, str(watch)
        if key not in self._unused:
            self._unused[key] = SMALL[kind](self.world) if kind in SMALL else getattr(self, f"_{kind}")(watch)
        version, folder, asset = self.world.style
        always = {"version": version, "folder": folder, "asset": asset, "slug": "must-follow", "file": "verify.js"}
        more = {"sheet": "pitch", "name": "mateo", "opponent": "otto", "key": "x", "hand": 1}
        return {"reference": self.world.other, **always, **more, **self._unused[key]}

    def use_up(self, kind: str, watch: Values) -> None:
        """Forget a thing."""
        self._unused.pop((kind, str(watch)), None)

    def use_up_all(self) -> None:
        """Forget all things."""
        self._unused.clear()

    def _table(self, watch: Values) -> Values:
        """A game of Blackout with hand 1 scored and disputed, where hana has got the seat of fred."""
        with self.world.pardon():
            opened = self.world.open(*SEATED, variant="blackout", watch=watch)
            path, view = f"/games/{opened['id']}", opened["view"]
            seats = [opened["names"][each["player"]] for each in view["seats"]]
            for turn in range(len(seats)):
                name = seats[(view["turn"]["seats"][0] + turn) % len(seats)]
                self.want(name, "POST", f"{path}/moves", {"type": "bid", "bid": 0})
            offer = self.want("fred", "POST", f"{path}/handovers", {"to": "hana"})
            self.want("hana", "POST", f"{path}/handovers/{offer['id']}/accept", {})
            self._agree(path)
        offer = self.want("hana", "POST", f"{path}/handovers", {"to": "asta"})
        contested = {"hand": 1, "kind": "score", "text": "The ten was mine."}
        at = self.want("hana", "POST", f"{path}/disputes", contested)["version"]
        more = {"offer": offer["id"], "seat": offer["seat"], "board": opened["board"], "dispute": 1, "at": at}
        return {"reference": opened["id"], **more}

    def _agree(self, path: str) -> None:
        for name in ("olga", "otto", "sven"):
            self.want(name, "POST", f"{path}/moves", {"type": "answer_handover", "accept": True})

    def _table_and_path(self, watch: Values) -> tuple[Values, str]:
        table = self._table(watch)
        return table, f"/games/{table['reference']}"

    def _rulebook(self, _watch: Values) -> Values:
        """A rulebook of mateo's that was refused."""
        body = {"name": "Ours", "from": "setback"}
        address = self.want("mateo", "POST", "/rulebooks", body)["rulebook"]
        books = self.world.services.accounts.rulebooks
        books.finish(address, RulebookStatus.REFUSED, 1, "It went wrong.", "{}")
        return {"address": address}

    def _message(self, watch: Values) -> Values:
        """A message of hana's."""
        table = self.take("table", watch)
        sent = self.want("hana", "POST", f"/games/{table['reference']}/chat", {"text": "Hello."})
        return {**table, "message": sent["id"]}

    def _over(self, watch: Values) -> Values:
        """A game that everybody but sven has left."""
        table, path = self._table_and_path(watch)
        for name in ("olga", "otto", "hana"):
            self.want(name, "POST", f"{path}/moves", {"type": "resign"})
        return table

    def _listed(self, watch: Values) -> Values:
        """A game that is in the lists."""
        table = self._table(watch)
        self.world.services.followers.catch_up()
        return table

    def _lent(self, watch: Values) -> Values:
        """A game where a bot has hana's seat for a while."""
        table, path = self._table_and_path(watch)
        with self.world.pardon():
            self.want("hana", "POST", f"{path}/handovers", {"to": "bot:simple"})
            self._agree(path)
        return table

    def _ruled(self, watch: Values) -> Values:
        """A game whose dispute arno has ruled on."""
        table, path = self._table_and_path(watch)
        self.want("arno", "POST", f"{path}/disputes/1/ruling", RULING)
        return table

    def _appealed(self, watch: Values) -> Values:
        """A game where hana appeals against the ruling."""
        table = self._ruled(watch)
        appeal = {"text": "The card was the ten."}
        self.want("hana", "POST", f"/games/{table['reference']}/disputes/1/appeal", appeal)
        return table

    def _receipt(self, watch: Values) -> Values:
        """A game with a receipt, and the line of a witness for it."""
        table, path = self._table_and_path(watch)
        size = self.want("hana", "POST", f"{path}/receipts", {})["size"]
        note = parse_note(self.want("hana", "GET", f"{path}/receipt")["note"])
        return {**table, "size": size, "line": WITNESS.signature(note.body).line.rstrip("\n")}

    def _practice(self, watch: Values) -> Values:
        """A table of hana's where hints are given."""
        seats = ("hana", *["bot:simple"] * 3)
        return {"reference": self.world.open(*seats, variant="blackout", undo="practice", watch=watch)["id"]}

    def _forming(self, watch: Values) -> Values:
        """A table with two seats to take, where asta is asked and fred was."""
        game = self.world.open("olga", "open", "open", "open", "open", "asta", "invite", watch=watch)["id"]
        path = f"/games/{game}"
        link = self.want("olga", "POST", f"{path}/invitations", {"uses": 9})
        with self.world.pardon():
            for name in ("hana", "otto", "sven", "fred"):
                self.want(name, "POST", f"{path}/seats", {"invitation": link["token"]})
        self.want("fred", "DELETE", f"{path}/seats/current")
        return {"reference": game, "invitation": link["id"], "token": link["token"]}

    def _step(self, _: Values) -> Values:
        """A step of mateo's whose player has appealed."""
        name = self.world.join()
        step = self.world.judge(name, {"step": "warn"})
        self.want(name, "POST", "/me/appeals", {"step": step, "text": "It wasn't me."})
        return {"step": step}

    def _leaving(self, _: Values) -> Values:
        """A player who leaves."""
        name = self.world.join()
        self.want(name, "DELETE", "/me", {"password": PASSWORD})
        return {"name": name}

    def _code(self, _: Values) -> Values:
        """A player with a recovery code."""
        name = self.world.join()
        [code, *_] = self.want(name, "POST", "/me/recovery-codes", {"password": PASSWORD})["recovery_codes"]
        return {"name": name, "code": code}

    def _token(self, _: Values) -> Values:
        """The id of another token of hana's."""
        body = {"name": "hana", "password": PASSWORD, "scope": "read"}
        return {"token": self.want("", "POST", "/tokens", body)["id"]}

    def _webhook(self, _: Values) -> Values:
        """A webhook of hana's."""
        body = {"url": f"https://bot.cards.net/{self.world.new_name()}", "kinds": ["turn"]}
        return {"webhook": self.want("hana", "POST", "/me/webhooks", body)["id"]}

    def _address(self, _: Values) -> Values:
        """The code for an address of hana's."""
        self.want("hana", "PUT", "/me/email", {"email": "hana@example.com"})
        return {"code": newest_code(self.world.services.accounts.database)}

    def _link(self, watch: Values) -> Values:
        """The link that ends hana's mails."""
        self.want("hana", "POST", "/me/email/confirmation", self._address(watch))
        player = self.want("hana", "GET", "/me")["id"]
        return {"key": MailAddresses(self.world.services).key_of("unsubscribe", player, "hana@example.com")}
