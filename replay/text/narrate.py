"""Tells each fact in one sentence for people."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from domain import events as facts
from domain.cards import SUIT_NAMES
from domain.events import Peg, require_every_fact
from domain.rules.model import RulesSummary
from replay.text.narrate_disputes import narrate_dispute, ruled_winners
from replay.text.sanitize import sanitize

Names = Mapping[int, str]
PARTNERS = {
    "across": "partner across",
    "left": "partner on the left",
    "right": "partner on the right",
    "call": "a called partner",
}


def narrate(fact: Any, who: Names) -> str:
    """Return the sentence for `fact`; `who` names the seats."""
    return _NARRATORS[type(fact)](fact, who) or type(fact).__name__


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


def _narrate_play(fact: Any, who: Names) -> str | None:
    match fact:
        case facts.BidMade(seat, bid):
            return f"{who[seat]} bids {bid}"
        case facts.BidPassed(seat):
            return f"{who[seat]} passes"
        case facts.AuctionWon(seat, bid, forced):
            return f"{who[seat]} {'has to pitch' if forced else 'pitches'} for {bid}"
        case facts.TrumpPitched(seat, suit):
            return f"{who[seat]} makes {SUIT_NAMES[suit]} trump"
        case facts.TrumpTurnedUp(_, card, suit):
            return f"{card} is turned up: {SUIT_NAMES[suit]} are trump"
        case facts.CardPlayed(seat, card):
            return f"{who[seat]} plays {card}"
        case facts.TrickTaken(_, trick, seat, _, kept):
            keeps = "".join(f"; {who[play.seat]} keeps {play.card}" for play in kept)
            return f"{who[seat]} takes trick {trick}{keeps}"
        case _:
            return None


def _narrate_exchange(fact: Any, who: Names) -> str | None:
    match fact:
        case facts.TrumpNamed(seat, suit):
            return f"{who[seat]} names {SUIT_NAMES[suit]} trump"
        case facts.PartnerCalled(seat, card):
            return f"{who[seat]} calls {card}"
        case facts.PartnerRevealed():
            return _narrate_partner(fact, who)
        case _:
            return _narrate_discards(fact, who)


def _narrate_partner(fact: facts.PartnerRevealed, who: Names) -> str:
    if fact.seat is None:
        return f"nobody else has {fact.card}: {who[fact.bidder]} plays alone"
    return f"{who[fact.seat]} has {fact.card} and is the partner of {who[fact.bidder]}"


def _narrate_discards(fact: Any, who: Names) -> str | None:
    match fact:
        case facts.CardsDiscarded(seat, count, shown):
            openly = f", {' '.join(shown)} face up" if shown else ""
            return f"{who[seat]} discards {_cards(count)}{openly}"
        case facts.CardsBuried(_, seat, cards):
            return f"{who[seat]} buries {' '.join(cards)}"
        case facts.CardsDrawn(seat, count):
            return f"{who[seat]} draws {_cards(count)}"
        case facts.StockTaken(seat, count):
            return f"{who[seat]} takes the last {_cards(count)} of the stock"
        case _:
            return None


def _narrate_results(fact: Any, who: Names) -> str | None:
    match fact:
        case facts.HandScored(_, pegs):
            return _narrate_score(fact, pegs, who)
        case facts.HandThrownIn():
            return "everybody passed; the hand is thrown in"
        case facts.MisdealDeclared(_, _, seats):
            return f"a misdeal, {_names(seats, who)} without an honor: the same dealer deals again"
        case facts.GameEnded(reason, winners):
            wins = "win" if len(winners) > 1 else "wins"
            ruled = ruled_winners(fact.ruled, who)
            return f"the game is over ({sanitize(reason)}); {_names(winners, who)} {wins}{ruled}"
        case _:
            return None


def _narrate_score(fact: facts.HandScored, pegs: Sequence[Peg], who: Names) -> str:
    changes = ", ".join(f"{who[seat]} {change:+}" for seat, change in enumerate(fact.changes))
    if fact.made is None and not pegs:
        return f"the hand is scored: {changes}"
    points = ", ".join(f"{peg.point.replace('_', ' ')} {who[peg.seat]}" for peg in pegs)
    return f"the bid is {'made' if fact.made else 'set'}: {points} ({changes})"


def _narrate_rules(fact: Any, who: Names) -> str | None:
    match fact:
        case facts.RulesChanged(_, summary, "deferred"):
            return f"the deferred change takes effect: {_describe_summary(summary)}"
        case facts.RulesChanged(_, summary, cause):
            return f"the {sanitize(cause)} changes the rules: {_describe_summary(summary)}"
        case facts.RulesChangeDeferred(_, summary, cause):
            return f"the {sanitize(cause)} changes the rules later: {_describe_summary(summary)}"
        case facts.BidScaled(seat, before, after):
            return f"the bid of {who[seat]} goes from {before} to {after}"
        case facts.PartnersChanged(bidder, partner) if bidder is not None:
            return f"{who[bidder]} now plays {'alone' if partner is None else f'with {who[partner]}'}"
        case _:
            return None


def _narrate_delay(fact: Any, who: Names) -> str | None:
    match fact:
        case facts.DelayCalled(seat, accused, waited):
            return f"{who[seat]} calls delay of game on {who[accused]}, after {waited / 1000:.1f} s"
        case facts.DelayVoted(seat, guilty):
            return f"{who[seat]} votes {'guilty' if guilty else 'not guilty'}"
        case facts.DelayDropped(seat, accused):
            return f"the call of {who[seat]} on {who[accused]} is dropped with the hand"
        case facts.DelayJudged(accused, guilty):
            return f"{who[accused]} is {'guilty' if guilty else 'not guilty'} of delay of game"
        case _:
            return None


def _narrate_consent(fact: Any, who: Names) -> str | None:
    match fact:
        case facts.UndoAsked(seat):
            return f"{who[seat]} asks to take the last move back"
        case facts.DrawProposed(seat):
            return f"{who[seat]} proposes a draw"
        case facts.UndoAnswered(seat, accept) | facts.DrawAnswered(seat, accept):
            return f"{who[seat]} {'agrees' if accept else 'does not agree'}"
        case facts.MovesTakenBack(seat, version):
            return f"the last move of {who[seat]} is taken back: the play is as it was after event {version}"
        case facts.SeatResigned(seat):
            return f"{who[seat]} resigns"
        case facts.TurnReminded(seat, held_ms):
            later = f"; the deadline is {held_ms / 1000:.0f} s later" if held_ms else ""
            return f"{who[seat]} is reminded of the turn{later}"
        case facts.TurnTimed(seat, left_ms, _, _, deadline):
            return f"the clock of {who[seat]} runs, with {left_ms / 1000:.0f} s left, until {sanitize(deadline)}"
        case _:
            return None


def _narrate_seats(fact: Any, who: Names) -> str | None:
    """Tell of a hand-over or a forfeit; `who` names the player before it, so the other one is called by kind."""
    match fact:
        case facts.HandoverAsked(seat, _, kind):
            return f"{who[seat]} asks to hand the seat over to {_kind_words(kind)}"
        case facts.HandoverAnswered(seat, accept):
            return f"{who[seat]} {'agrees' if accept else 'does not agree'} to the hand-over"
        case facts.SeatHandedOver(seat, _, _, kind):
            return f"seat {seat} goes over to {_kind_words(kind)}"
        case facts.SeatReturned(seat):
            return f"seat {seat} goes back to the player who lent it"
        case facts.SeatForfeited(seat, "handover"):
            return f"{who[seat]} leaves no person at the table; the seat is forfeit"
        case facts.TimeClaimed(seat, late):
            return f"{who[seat]} claims that {who[late]} is out of time"
        case facts.SeatForfeited(seat):
            return f"{who[seat]} is out of time; the table plays on for the seat"
        case _:
            return None


def _kind_words(kind: str) -> str:
    return "another player" if kind == "human" else "a bot"


def _narrate_draws(fact: Any, who: Names) -> str | None:
    match fact:
        case facts.SeatsDrawn(_, order):
            return f"the seats are drawn: {', '.join(who[seat] for seat in range(len(order)))}"
        case facts.DealerDrawn(_, seat):
            return f"{who[seat]} is drawn to deal first"
        case facts.CoinFlipped(_, seats, winner):
            return f"{who[winner]} wins the coin flip between {_names(seats, who)}"
        case facts.CutOpened(_, seat):
            return f"{who[seat]} cuts{'' if fact.next_seal is None else ', and seals the next cut'}"
        case facts.BeaconRecorded(_, source):
            return f"the beacon {sanitize(source)} is recorded"
        case _:
            return None


def _narrate_table(fact: Any, who: Names) -> str | None:
    match fact:
        case facts.GameOpened():
            return "the game is opened"
        case facts.CeremonyOpened(n, subject):
            what = "a shuffle" if subject.startswith("deal") else "a draw"
            beacon = "" if fact.beacon is None else f", and names {sanitize(fact.beacon)}"
            return f"the table commits itself to {what}: {sanitize(subject)} (ceremony {n}){beacon}"
        case facts.HandDealt(hand, redeal):
            return f"hand {hand} is dealt{' again' if redeal else ''} by {who[fact.dealer]}"
        case facts.CardsDealt(_, seat, cards) | facts.CardsTaken(_, seat, cards):
            return f"{who[seat]} gets {' '.join(cards)}"
        case facts.SeedKept(n):
            return f"the seed of ceremony {n} is stored"
        case facts.CeremonyRevealed(n) | facts.CeremonyVoided(n):
            return f"the seed of ceremony {n} is revealed"
        case facts.StockLaid(_, cards):
            return f"{_cards(len(cards))} stay in the stock"
        case _:
            return None


_NARRATORS: dict[type[Any], Callable[[Any, Names], str | None]] = {
    **dict.fromkeys(
        (
            facts.BidMade,
            facts.BidPassed,
            facts.AuctionWon,
            facts.TrumpPitched,
            facts.TrumpTurnedUp,
            facts.CardPlayed,
            facts.TrickTaken,
        ),
        _narrate_play,
    ),
    **dict.fromkeys(
        (
            facts.TrumpNamed,
            facts.PartnerCalled,
            facts.PartnerRevealed,
            facts.CardsDiscarded,
            facts.CardsBuried,
            facts.CardsDrawn,
            facts.StockTaken,
        ),
        _narrate_exchange,
    ),
    **dict.fromkeys((facts.HandScored, facts.HandThrownIn, facts.MisdealDeclared, facts.GameEnded), _narrate_results),
    **dict.fromkeys(
        (facts.RulesChanged, facts.RulesChangeDeferred, facts.BidScaled, facts.PartnersChanged), _narrate_rules
    ),
    **dict.fromkeys((facts.DelayCalled, facts.DelayVoted, facts.DelayJudged, facts.DelayDropped), _narrate_delay),
    **dict.fromkeys(
        (
            facts.UndoAsked,
            facts.UndoAnswered,
            facts.DrawProposed,
            facts.DrawAnswered,
            facts.MovesTakenBack,
            facts.SeatResigned,
            facts.TurnReminded,
            facts.TurnTimed,
        ),
        _narrate_consent,
    ),
    **dict.fromkeys(
        (
            facts.HandoverAsked,
            facts.HandoverAnswered,
            facts.SeatHandedOver,
            facts.SeatReturned,
            facts.SeatForfeited,
            facts.TimeClaimed,
        ),
        _narrate_seats,
    ),
    **dict.fromkeys(
        (facts.SeatsDrawn, facts.DealerDrawn, facts.CoinFlipped, facts.CutOpened, facts.BeaconRecorded), _narrate_draws
    ),
    **dict.fromkeys(
        (facts.DisputeOpened, facts.RulingGiven, facts.RulingAppealed, facts.RulingDecided), narrate_dispute
    ),
    **dict.fromkeys(
        (
            facts.GameOpened,
            facts.CeremonyOpened,
            facts.HandDealt,
            facts.CardsDealt,
            facts.CardsTaken,
            facts.SeedKept,
            facts.CeremonyRevealed,
            facts.CeremonyVoided,
            facts.StockLaid,
        ),
        _narrate_table,
    ),
}
require_every_fact(_NARRATORS, __name__)
