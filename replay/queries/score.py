"""Checks the score: recomputes each hand under the recorded rules, then applies the rulings.

As played, the scores are the sum of the hands and of the costs of delay of game. As ruled, the changes of the rulings
in force are added, and a voided hand doesn't count (docs/disputes.md).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, TypedDict

from msgspec.structs import asdict

from domain.events import DisputeOpened, GameEnded, HandScored, Ruled, RulingDecided, RulingGiven, Seats
from domain.json_fields import CardText, Outcome, refers_to, says
from replay.audit.scoring.hand_score import HandTotal, check_hand_scored, hand_total
from replay.audit.scoring.points import current_sides
from replay.fold import START, Position
from replay.history import History
from replay.history.findings import Finding
from replay.queries.answer import Answer, HandAnswer, findings_json, question_json
from replay.queries.reading import Transition, deals, player_names, transitions

HEADS = (
    *("event", "hand", "player", "bid", "tricks", "points recorded", "points recomputed"),
    *("change recorded", "change recomputed", "score"),
)
Row = tuple[object, ...]


class ScoreResult(TypedDict):
    """A hand's points and changes."""

    pegs: list[Annotated[dict[str, Any], refers_to("Peg")]]
    counts: list[int]
    made: bool | None
    changes: list[int]


class CheckedHand(TypedDict):
    """A hand's score as recorded and as recomputed."""

    version: int
    hand: int
    bids: list[int | None]
    tricks: list[int]
    taken: Annotated[list[list[CardText]], says("The cards from tricks that count for each seat.")]
    sides: list[Seats]
    recorded: ScoreResult
    recomputed: ScoreResult
    scores: list[int]


class CheckedRuling(TypedDict):
    """A ruling, or the decision on its appeal, and the scores after it."""

    version: int
    dispute: int
    hand: int | None
    decision: str
    changes: list[int] | None
    ruled: Outcome | None
    recomputed: list[int] | None
    after_the_end: bool


class Scores(HandAnswer):
    """Points recorded and recomputed, as played and as ruled."""

    hands: list[CheckedHand]
    rulings: list[CheckedRuling]
    as_played: Outcome
    as_ruled: Outcome | None


@dataclass
class _Sheet:
    """The results so far: scored hands, rulings in order, rulings in force by dispute, and the position."""

    hands: list[CheckedHand] = field(default_factory=list)
    rulings: list[CheckedRuling] = field(default_factory=list)
    in_force: dict[int, RulingGiven] = field(default_factory=dict)
    contested: dict[int, DisputeOpened] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    end: Position = START
    over: GameEnded | None = None

    def net(self) -> tuple[int, ...]:
        """Return the sum of the changes of the rulings in force, by seat."""
        changes = [ruling.changes for ruling in self.in_force.values()]
        return tuple(sum(change[seat] for change in changes) for seat in range(self.end.seats))

    def ruled(self) -> list[int] | None:
        """Return the scores as ruled, or None if the rulings in force change nothing."""
        net = self.net()
        return [score + change for score, change in zip(self.end.scores, net, strict=True)] if any(net) else None


def score(history: History, hand: int | None = None) -> Answer[Scores]:
    """Return each scored hand, or one, and the game as played and as ruled. Raise NoSuchHand if it wasn't dealt."""
    deals(history, hand)
    sheet = _Sheet()
    for transition in transitions(history):
        sheet.end = transition.after
        _read(sheet, transition)
    own = [each for each in sheet.hands if hand in (None, each["hand"])]
    rulings = [each for each in sheet.rulings if hand in (None, each["hand"])]
    versions = {*(each["version"] for each in own), *(each["version"] for each in rulings)}
    found = tuple(each for each in sheet.findings if hand is None or each.version in versions)
    body: Scores = {
        **question_json(history, "score"),
        "hand": hand,
        "hands": own,
        "rulings": rulings,
        "as_played": _outcome(sheet.end.scores, () if sheet.over is None else sheet.over.winners),
        "as_ruled": _as_ruled(sheet),
        **findings_json(found),
    }
    who = player_names(history, sheet.end)
    rows = [row for each in own for row in _rows(each, who)]
    return Answer(history, body, HEADS, rows, tuple(_notes(body, who)), found)


def _outcome(scores: Sequence[int], winners: Sequence[int]) -> Outcome:
    return {"scores": list(scores), "winners": list(winners)}


def _as_ruled(sheet: _Sheet) -> Outcome | None:
    """Return the scores as ruled, and the winners by the last fact that names them; None without changes."""
    scores = sheet.ruled()
    if scores is None:
        return None
    if sheet.over is not None and sheet.over.ruled is not None and not _has_late_ruling(sheet):
        return _outcome(scores, sheet.over.ruled.winners)
    last = sheet.rulings[-1]["ruled"] if sheet.rulings else None
    return _outcome(scores, () if last is None else last["winners"])


def _has_late_ruling(sheet: _Sheet) -> bool:
    """Return whether a ruling came after the end of the game."""
    return any(each["after_the_end"] for each in sheet.rulings)


def _read(sheet: _Sheet, transition: Transition) -> None:
    fact, version = transition.event.data, transition.event.version
    match fact:
        case HandScored():
            _add_hand(sheet, transition, fact)
        case DisputeOpened():
            sheet.contested[fact.dispute] = fact
        case RulingGiven():
            sheet.in_force[fact.dispute] = fact
            _add_ruling(sheet, version, fact, fact.changes)
        case RulingDecided():
            if fact.decision == "reversed":
                sheet.in_force.pop(fact.dispute, None)
            _add_ruling(sheet, version, fact, None)
        case GameEnded():
            sheet.over = fact
            _check_standing(sheet, version, fact.ruled)


def _add_hand(sheet: _Sheet, transition: Transition, fact: HandScored) -> None:
    """Add a hand as recorded and as recomputed from its cards and bids."""
    hand = transition.before.live
    version, due = transition.event.version, hand_total(transition.before, hand)
    sheet.findings += [Finding(version, says) for says in check_hand_scored(transition.before, fact)]
    sheet.hands.append(
        {
            "version": version,
            "hand": fact.hand,
            "bids": list(fact.bids),
            "tricks": list(fact.tricks),
            "taken": [list(cards) for cards in hand.taken],
            "sides": list(current_sides(transition.before, hand)),
            "recorded": _result_json(fact),
            "recomputed": _result_json(due),
            "scores": list(fact.scores),
        }
    )


def _result_json(result: HandScored | HandTotal) -> ScoreResult:
    pegs = [asdict(peg) for peg in result.pegs]
    return {"pegs": pegs, "counts": list(result.counts), "made": result.made, "changes": list(result.changes)}


def _add_ruling(sheet: _Sheet, version: int, fact: RulingGiven | RulingDecided, changes: Sequence[int] | None) -> None:
    """Add a ruling or the decision on its appeal, and the scores after it."""
    contested = sheet.contested.get(fact.dispute)
    sheet.rulings.append(
        {
            "version": version,
            "dispute": fact.dispute,
            "hand": None if contested is None else contested.hand,
            "decision": fact.decision,
            "changes": None if changes is None else list(changes),
            "ruled": None if fact.ruled is None else _outcome(fact.ruled.scores, fact.ruled.winners),
            "recomputed": sheet.ruled(),
            "after_the_end": sheet.over is not None,
        }
    )
    _check_standing(sheet, version, fact.ruled)


def _check_standing(sheet: _Sheet, version: int, ruled: Ruled | None) -> None:
    """Add a finding if the scores as ruled in a fact differ from the rulings in force."""
    recorded, due = None if ruled is None else list(ruled.scores), sheet.ruled()
    if recorded != due:
        says = f"it says the game stands at {recorded} as ruled, and the rulings in force make it {due}"
        sheet.findings.append(Finding(version, says))


def _rows(hand: CheckedHand, who: Mapping[int, str]) -> Iterator[Row]:
    recorded, due = hand["recorded"], hand["recomputed"]
    for seat, name in who.items():
        yield (
            *(hand["version"], hand["hand"], name, hand["bids"][seat], hand["tricks"][seat]),
            *(side_points(recorded["pegs"], (seat,)), side_points(due["pegs"], (seat,))),
            *(f"{recorded['changes'][seat]:+}", f"{due['changes'][seat]:+}", hand["scores"][seat]),
        )


def side_points(pegs: Sequence[Mapping[str, Any]], side: Sequence[int]) -> str:
    """Return the points of a side, in parentheses if not credited."""
    own = [peg["point"] if peg["credited"] else f"({peg['point']})" for peg in pegs if peg["seat"] in side]
    return ",".join(own) or "-"


def _notes(body: Scores, who: Mapping[int, str]) -> Iterator[str]:
    for each in body["rulings"]:
        changes = "" if each["changes"] is None else f", {_scores(each['changes'], who, sign='+')}"
        yield f"event {each['version']}: dispute {each['dispute']} on hand {each['hand']}: {each['decision']}{changes}"
    yield f"as played: {_scores(body['as_played']['scores'], who)}{_winners(body['as_played'], who)}"
    if body["as_ruled"] is not None:
        yield f"as ruled: {_scores(body['as_ruled']['scores'], who)}{_winners(body['as_ruled'], who)}"


def _scores(scores: Sequence[int], who: Mapping[int, str], sign: str = "") -> str:
    return ", ".join(f"{who[seat]} {score:{sign}}" for seat, score in enumerate(scores))


def _winners(outcome: Outcome, who: Mapping[int, str]) -> str:
    won = " and ".join(who[seat] for seat in outcome["winners"])
    return f"; won by {won}" if won else ""
