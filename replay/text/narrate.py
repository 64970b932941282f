"""Tells each fact in one sentence for people."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from domain import events as facts
from domain.cards import SUIT_NAMES
from domain.engine.auction import moon_bid
from domain.events import require_every_fact
from domain.rules.choices import KITTIES
from domain.rules.model import Rules, RulesSummary
from replay.text.layout import sanitize

STANDARDS = {"recorded": "by the log", "likely": "as is likely"}


def _grounds(ruling: facts.RulingGiven) -> str:
    return "".join(f", {sanitize(each)}" for each in (ruling.basis, STANDARDS.get(ruling.standard)) if each)


def _ruling(ruling: facts.RulingGiven, who: Mapping[int, str]) -> str:
    match ruling.decision:
        case "none":
            return "it stands as played"
        case "void" if ruling.voids is not None:
            return "the hand is void, and dealt again"
        case "void":
            return f"the hand is void, {score_changes_text(ruling.changes, who)}{_ruled(ruling.ruled, who)}"
        case _:
            return f"{score_changes_text(ruling.changes, who)}{_ruled(ruling.ruled, who)}"


def score_changes_text(by_seat: Sequence[int], who: Mapping[int, str]) -> str:
    """Return the changes that aren't 0: `ann -2, bob +2`."""
    return ", ".join(f"{who[seat]} {change:+}" for seat, change in enumerate(by_seat) if change) or "no change"


def _ruled(ruled: facts.Ruled | None, who: Mapping[int, str]) -> str:
    """Return the scores as ruled, and the winners."""
    if ruled is None:
        return ""
    scores = ", ".join(f"{who[seat]} {score}" for seat, score in enumerate(ruled.scores))
    return f"; as ruled {scores}{ruled_winners(ruled, who)}"


def ruled_winners(ruled: facts.Ruled | None, who: Mapping[int, str]) -> str:
    """Return the winners as ruled; nothing if no ruling counts or the game goes on."""
    if ruled is None or not ruled.winners:
        return ""
    names = " and ".join(who[seat] for seat in ruled.winners)
    return f"; as ruled {names} {'win' if len(ruled.winners) > 1 else 'wins'}"


DISPUTE_SENTENCES: dict[type[Any], Callable[[Any, Mapping[int, str]], str]] = {
    facts.DisputeOpened: lambda fact, who: (
        f"{who[fact.seat]} disputes hand {fact.hand} as of event {fact.at_version}: {sanitize(fact.kind)} "
        f"(dispute {fact.dispute})"
    ),
    facts.DisputeWithdrawn: lambda fact, who: f"{who[fact.seat]} withdraws dispute {fact.dispute}",
    facts.RulingGiven: lambda fact, who: (
        f"an arbiter rules on dispute {fact.dispute}{_grounds(fact)}: {_ruling(fact, who)}"
    ),
    facts.RulingAppealed: lambda fact, who: f"{who[fact.seat]} appeals against the ruling on dispute {fact.dispute}",
    facts.RulingDecided: lambda fact, who: (
        f"another arbiter decides: the ruling on dispute {fact.dispute} is {sanitize(fact.decision)}"
        f"{_ruled(fact.ruled, who)}"
    ),
}
"""The sentence for each fact of a dispute, given the names of the seats."""


Names = Mapping[int, str]
PARTNERS = {
    "across": "partner across",
    "left": "partner on the left",
    "right": "partner on the right",
    "call": "a called partner",
    "teams": "two teams",
}


RulesTold = Rules | Mapping[str, Any]
"""The rules of a table, or what a view shows of them."""


def narrate(fact: Any, who: Names, rules: RulesTold | None = None) -> str:
    """Return the sentence for `fact`; `who` names the seats. Only the `rules` tell a moon, or a kitty from a stock."""
    if rules is not None and (tell := _BY_RULES.get(type(fact))):
        return tell(fact, who, rules)
    return _SENTENCES[type(fact)](fact, who)


def describe_setting(points: str, *, dirty: bool, reverse: bool, partners: str) -> str:
    """Return a version of the rules in words: "7 points, clean, upright, partner across"."""
    ways = "dirty" if dirty else "clean", "reversed" if reverse else "upright"
    return sanitize(f"{points} points, {', '.join(ways)}, {PARTNERS.get(partners, partners)}")


def _describe_summary(summary: RulesSummary) -> str:
    return describe_setting(
        summary.points, dirty=summary.dirty, reverse=summary.reverse, partners=summary.partners.value
    )


def _names(seats: Sequence[int], who: Names) -> str:
    return " and ".join(who[seat] for seat in seats) or "nobody"


def _cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"


def _agrees(fact: Any, who: Names) -> str:
    return f"{who[fact.seat]} {'agrees' if fact.accept else 'does not agree'}"


def _bid(fact: facts.BidMade, who: Names, rules: RulesTold | None = None) -> str:
    return f"{who[fact.seat]} bids {bid_words(fact.bid, rules)}"


def _auction(fact: facts.AuctionWon, who: Names, rules: RulesTold | None = None) -> str:
    return f"{who[fact.seat]} {'has to pitch' if fact.forced else 'pitches'} for {bid_words(fact.bid, rules)}"


def bid_words(bid: int, rules: RulesTold | None) -> str:
    """Return a bid as a number; the moon by its name."""
    moon = rules and (moon_bid(rules) if isinstance(rules, Rules) else rules.get("moon"))
    return "the moon" if bid == moon else str(bid)


def _stock(fact: facts.StockTaken, who: Names, rules: RulesTold | None = None) -> str:
    if rules and (rules.fill in KITTIES if isinstance(rules, Rules) else "kitty" in rules):
        return f"{who[fact.seat]} takes the kitty of {_cards(fact.count)}"
    return f"{who[fact.seat]} takes the last {_cards(fact.count)} of the stock"


def _trick(fact: facts.TrickTaken, who: Names) -> str:
    keeps = "".join(f"; {who[play.seat]} keeps {play.card}" for play in fact.kept)
    return f"{who[fact.seat]} takes trick {fact.trick}{keeps}"


def _partner(fact: facts.PartnerRevealed, who: Names) -> str:
    if fact.seat is None:
        return f"nobody else has {fact.card}: {who[fact.bidder]} plays alone"
    return f"{who[fact.seat]} has {fact.card} and is the partner of {who[fact.bidder]}"


def _discards(fact: facts.CardsDiscarded, who: Names) -> str:
    openly = f", {' '.join(fact.shown)} face up" if fact.shown else ""
    return f"{who[fact.seat]} discards {_cards(fact.count)}{openly}"


def _score(fact: facts.HandScored, who: Names) -> str:
    changes = ", ".join(f"{who[seat]} {change:+}" for seat, change in enumerate(fact.changes))
    if fact.made is None and not fact.pegs:
        return f"the hand is scored: {changes}"
    points = ", ".join(f"{peg.point.replace('_', ' ')} {who[peg.seat]}" for peg in fact.pegs)
    return f"the bid is {'made' if fact.made else 'set'}: {points} ({changes})"


def _end(fact: facts.GameEnded, who: Names) -> str:
    wins = f"{_names(fact.winners, who)} {'win' if len(fact.winners) > 1 else 'wins'}"
    return f"the game is over ({sanitize(fact.reason)}); {wins}{ruled_winners(fact.ruled, who)}"


def _new_rules(fact: facts.RulesChanged, who: Names) -> str:
    if fact.cause == "deferred":
        return f"the deferred change takes effect: {_describe_summary(fact.summary)}"
    return f"the {sanitize(fact.cause)} changes the rules: {_describe_summary(fact.summary)}"


def _new_partners(fact: facts.PartnersChanged, who: Names) -> str:
    if fact.bidder is None:
        return type(fact).__name__
    return f"{who[fact.bidder]} now plays {'alone' if fact.partner is None else f'with {who[fact.partner]}'}"


def _guilty(*, guilty: bool) -> str:
    return "guilty" if guilty else "not guilty"


def _reminder(fact: facts.TurnReminded, who: Names) -> str:
    later = f"; the deadline is {fact.held_ms / 1000:.0f} s later" if fact.held_ms else ""
    return f"{who[fact.seat]} is reminded of the turn{later}"


def _clock(fact: facts.TurnTimed, who: Names) -> str:
    left = f"{fact.left_ms / 1000:.0f} s left"
    return f"the clock of {who[fact.seat]} runs, with {left}, until {sanitize(fact.deadline)}"


def _kind_words(kind: str) -> str:
    """Tell of the new player of a seat by kind: `who` names the one before."""
    return "another player" if kind == "human" else "a bot"


def _forfeit(fact: facts.SeatForfeited, who: Names) -> str:
    if fact.reason == "handover":
        return f"{who[fact.seat]} leaves no person at the table; the seat is forfeit"
    return f"{who[fact.seat]} is out of time; the table plays on for the seat"


def _ceremony(fact: facts.CeremonyOpened, who: Names) -> str:
    what = "a shuffle" if fact.subject.startswith("deal") else "a draw"
    beacon = "" if fact.beacon is None else f", and names {sanitize(fact.beacon)}"
    return f"the table commits itself to {what}: {sanitize(fact.subject)} (ceremony {fact.n}){beacon}"


def _got(fact: facts.CardsDealt | facts.CardsTaken, who: Names) -> str:
    return f"{who[fact.seat]} gets {' '.join(fact.cards)}"


def _revealed(fact: facts.CeremonyRevealed | facts.CeremonyVoided, who: Names) -> str:
    return f"the seed of ceremony {fact.n} is revealed"


_SENTENCES: dict[type[Any], Callable[[Any, Names], str]] = {
    facts.GameOpened: lambda *_: "the game is opened",
    facts.SeatsDrawn: lambda fact, who: f"the seats are drawn: {', '.join(who[at] for at in range(len(fact.order)))}",
    facts.DealerDrawn: lambda fact, who: f"{who[fact.seat]} is drawn to deal first",
    facts.CeremonyOpened: _ceremony,
    facts.SeedKept: lambda fact, _: f"the seed of ceremony {fact.n} is stored",
    facts.CutOpened: lambda fact, who: (
        f"{who[fact.seat]} cuts{'' if fact.next_seal is None else ', and seals the next cut'}"
    ),
    facts.BeaconRecorded: lambda fact, _: f"the beacon {sanitize(fact.source)} is recorded",
    facts.HandDealt: lambda fact, who: (
        f"hand {fact.hand} is dealt{' again' if fact.redeal else ''} by {who[fact.dealer]}"
    ),
    facts.CardsDealt: _got,
    facts.StockLaid: lambda fact, _: f"{_cards(len(fact.cards))} stay in the stock",
    facts.MisdealDeclared: lambda fact, who: (
        f"a misdeal, {_names(fact.seats, who)} without an honor: the same dealer deals again"
    ),
    facts.TrumpTurnedUp: lambda fact, _: f"{fact.card} is turned up: {SUIT_NAMES[fact.suit]} are trump",
    facts.CeremonyRevealed: _revealed,
    facts.CeremonyVoided: _revealed,
    facts.CoinFlipped: lambda fact, who: f"{who[fact.winner]} wins the coin flip between {_names(fact.seats, who)}",
    facts.BidMade: _bid,
    facts.BidPassed: lambda fact, who: f"{who[fact.seat]} passes",
    facts.HandThrownIn: lambda *_: "everybody passed; the hand is thrown in",
    facts.AuctionWon: _auction,
    facts.TrumpNamed: lambda fact, who: f"{who[fact.seat]} names {SUIT_NAMES[fact.suit]} trump",
    facts.PartnerCalled: lambda fact, who: f"{who[fact.seat]} calls {fact.card}",
    facts.PartnerRevealed: _partner,
    facts.CardsDiscarded: _discards,
    facts.CardsBuried: lambda fact, who: f"{who[fact.seat]} buries {' '.join(fact.cards)}",
    facts.CardsDrawn: lambda fact, who: f"{who[fact.seat]} draws {_cards(fact.count)}",
    facts.StockTaken: _stock,
    facts.CardsTaken: _got,
    facts.TrumpPitched: lambda fact, who: f"{who[fact.seat]} makes {SUIT_NAMES[fact.suit]} trump",
    facts.CardPlayed: lambda fact, who: f"{who[fact.seat]} plays {fact.card}",
    facts.TrickTaken: _trick,
    facts.HandScored: _score,
    facts.RulesChanged: _new_rules,
    facts.RulesChangeDeferred: lambda fact, _: (
        f"the {sanitize(fact.cause)} changes the rules later: {_describe_summary(fact.summary)}"
    ),
    facts.BidScaled: lambda fact, who: f"the bid of {who[fact.seat]} goes from {fact.before} to {fact.after}",
    facts.PartnersChanged: _new_partners,
    facts.DelayCalled: lambda fact, who: (
        f"{who[fact.seat]} calls delay of game on {who[fact.accused]}, after {fact.waited_ms / 1000:.1f} s"
    ),
    facts.DelayVoted: lambda fact, who: f"{who[fact.seat]} votes {_guilty(guilty=fact.guilty)}",
    facts.DelayJudged: lambda fact, who: f"{who[fact.accused]} is {_guilty(guilty=fact.guilty)} of delay of game",
    facts.DelayDropped: lambda fact, who: (
        f"the call of {who[fact.seat]} on {who[fact.accused]} is dropped with the hand"
    ),
    facts.UndoAsked: lambda fact, who: f"{who[fact.seat]} asks to take the last move back",
    facts.UndoAnswered: _agrees,
    facts.MovesTakenBack: lambda fact, who: (
        f"the last move of {who[fact.seat]} is taken back: the play is as it was after event {fact.to_version}"
    ),
    facts.DrawProposed: lambda fact, who: f"{who[fact.seat]} proposes a draw",
    facts.DrawAnswered: _agrees,
    facts.SeatResigned: lambda fact, who: f"{who[fact.seat]} resigns",
    facts.SeatForfeited: _forfeit,
    facts.TurnReminded: _reminder,
    facts.TurnTimed: _clock,
    facts.TimeClaimed: lambda fact, who: f"{who[fact.seat]} claims that {who[fact.late]} is out of time",
    facts.HandoverAsked: lambda fact, who: f"{who[fact.seat]} asks to hand the seat over to {_kind_words(fact.kind)}",
    facts.HandoverAnswered: lambda fact, who: f"{_agrees(fact, who)} to the hand-over",
    facts.SeatHandedOver: lambda fact, _: f"seat {fact.seat} goes over to {_kind_words(fact.kind)}",
    facts.SeatReturned: lambda fact, _: f"seat {fact.seat} goes back to the player who lent it",
    **DISPUTE_SENTENCES,
    facts.GameEnded: _end,
}
require_every_fact(_SENTENCES, __name__)
_BY_RULES: dict[type[Any], Callable[[Any, Names, RulesTold], str]] = {
    facts.BidMade: _bid,
    facts.AuctionWon: _auction,
    facts.StockTaken: _stock,
}
"""The sentences that read the rules of the game."""
