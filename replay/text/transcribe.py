"""Makes transcripts of a history's hands; withheld cards are written as `??`."""

from collections.abc import Iterable, Sequence

from domain.cards import Card
from domain.events import HandDealt, HandScored, Peg
from domain.rules.choices import BiddingDirection, Partners
from domain.rules.model import RulesSummary
from replay.fold import START, Position, apply_event, skip_withheld
from replay.history import History, NoSuchHand
from replay.text.hand_sheet import HandSheet, setting_words
from replay.text.transcript import HIDDEN, PASS, Transcript, format_transcript


def transcripts(history: History) -> list[Transcript]:
    """Return every hand dealt in `history`, in order. Raise MisplacedFact if its facts can't stand as they do."""
    position, sheets = START, list[HandSheet]()
    for line in history.lines:
        if line.event is None:
            position = skip_withheld(position, line.version)
            continue
        position = apply_event(position, line.event)
        fact = line.event.data
        if isinstance(fact, HandDealt):
            sheets.append(HandSheet(line.event, position))
        elif sheets:
            sheets[-1].add(fact, position)
    return [_transcript(history, sheet, position) for sheet in sheets]


def transcript_of(history: History, hand: int) -> Transcript:
    """Return the transcript of the last deal of hand `hand`. Raise NoSuchHand if it wasn't dealt."""
    named = [each for each in transcripts(history) if each.tag("Hand") == str(hand)]
    if not named:
        raise NoSuchHand(f"there is no hand {hand} in this history")
    return named[-1]


def _transcript(history: History, sheet: HandSheet, end: Position) -> Transcript:
    sheet.close()
    return Transcript(
        tags=(*_table_tags(history, end), *_hand_tags(sheet, end)),
        first=sheet.dealt.data.eldest,
        auction=tuple(sheet.auction),
        led=sheet.led,
        play=tuple(row for row in sheet.play if row.words),
        score=_score(sheet.scored),
        exchange=tuple(row for row in sheet.exchange if row.words),
        contract=end.opening.rules.auction.contract,
    )


def _table_tags(history: History, end: Position) -> list[tuple[str, str]]:
    names, opening = history.header.players, end.opening
    players = [(f"Player{seat}", names.get(each.player, each.player)) for seat, each in enumerate(end.players)]
    table = [("Game", history.header.game), ("Board", str(opening.board)), ("Variant", opening.variant)]
    goal = [] if opening.rules.goal is None else [("Goal", str(opening.rules.goal))]
    around = (
        []
        if opening.rules.auction.around is BiddingDirection.LEFT
        else [("Around", opening.rules.auction.around.value)]
    )
    return [*table, *goal, *around, *players]


def _hand_tags(sheet: HandSheet, end: Position) -> list[tuple[str, str]]:
    fact = sheet.dealt.data
    tags = [("Hand", str(fact.hand)), ("Redeal", str(fact.redeal)), ("Date", sheet.dealt.at[:10].replace("-", "."))]
    tags += [("Dealer", str(fact.dealer)), *_rules(sheet.setting)]
    tags += [("Deal", _deal(sheet)), ("Stock", _cards(sheet.stock, fact.stock))]
    tags += [("Commit", sheet.commit), ("Seed", end.ceremonies[fact.n].seed or HIDDEN), ("Grade", fact.grade)]
    return [*tags, *_cut(fact), *_result_tags(sheet), ("Result", sheet.result)]


def _cut(fact: HandDealt) -> list[tuple[str, str]]:
    """Return the tags with the cuts, and the seats whose sealed cut is missing."""
    cuts = [("Cuts", " ".join(f"{source}:{cut}" for source, cut in fact.cuts))] if fact.cuts else []
    return cuts + ([("Missing", " ".join(map(str, fact.missing)))] if fact.missing else [])


def _rules(rules: RulesSummary) -> list[tuple[str, str]]:
    """Return the tag with the rules at the start of the hand, if they can change."""
    return [("Rules", setting_words(rules))] if rules.points else []


def _result_tags(sheet: HandSheet) -> list[tuple[str, str]]:
    hand, tags = sheet.hand, list[tuple[str, str]]()
    if hand.won is not None:
        tags += [("Pitcher", str(hand.won.seat)), ("Bid", str(hand.bid))]
    if hand.upcard is not None:
        tags.append(("Upcard", hand.upcard))
    if hand.trump is not None:
        tags.append(("Trump", hand.trump))
    if hand.sides is not None and sheet.setting.partners is not Partners.ALONE:
        tags.append(("Sides", " / ".join(" ".join(map(str, side)) for side in hand.sides)))
    return tags


def _deal(sheet: HandSheet) -> str:
    """Return the eldest hand's seat, and each seat's cards from there on, in the order dealt."""
    fact, seats = sheet.dealt.data, len(sheet.dealt.data.counts)
    order = [(fact.eldest + turn) % seats for turn in range(seats)]
    return f"{fact.eldest}:" + " / ".join(_cards(sheet.cards.get(seat), fact.counts[seat]) for seat in order)


def _cards(cards: tuple[Card, ...] | None, count: int) -> str:
    return " ".join([HIDDEN] * count if cards is None else cards)


def _score(scored: HandScored | None) -> tuple[tuple[str, ...], ...]:
    """Return a row for each seat; points won but not credited are in parentheses; no points if none are counted."""
    if scored is None:
        return ()
    return tuple(tuple(map(str, _cells(scored, seat))) for seat in range(len(scored.scores)))


def _cells(scored: HandScored, seat: int) -> Sequence[object]:
    bid = scored.bids[seat]
    head = seat, PASS if bid is None else bid, scored.tricks[seat]
    tail = f"{scored.changes[seat]:+}", scored.scores[seat]
    if not scored.counts:
        return *head, *tail
    return *head, scored.counts[seat], *tail, _points(scored.pegs, seat)


def _points(pegs: tuple[Peg, ...], seat: int) -> str:
    own = [peg.point if peg.credited else f"({peg.point})" for peg in pegs if peg.seat == seat]
    return ",".join(own) or "-"


def format_transcripts(transcribed: Iterable[Transcript]) -> str:
    """Return hands as text, separated by an empty line."""
    return "\n".join(map(format_transcript, transcribed))
