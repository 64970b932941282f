"""The cards that didn't follow suit, and who could have followed (S34 to S36, T20, B20, R-C9).

Each card is judged by the rules in force when it was played and by the cards that the player held. The second fold
tells which cards are trumps, so the result can disagree with the server.
"""

from typing import Annotated, NamedTuple, NotRequired, TypedDict

from domain.cards import SUIT, Card, Suit, sort_cards
from domain.events import CardPlayed, MovesTakenBack
from domain.json_fields import CardText, says
from domain.rules.choices import Follow
from domain.rules.model import Rules
from replay.audit.play.trumps import is_trump
from replay.fold import HandRead, Position
from replay.history import History
from replay.history.findings import Finding
from replay.queries.answer import Answer, HandAnswer, findings_json, question_json
from replay.queries.reading import Transition, deals, is_in_shown_deal, player_names, transitions, unrevealed_notes
from replay.text.narrate import describe_setting

FOLLOW_RULES = {
    Follow.SUIT: "the suit led must be followed",
    Follow.SUIT_OR_TRUMP: "the suit led must be followed, or trumped",
    Follow.TRUMPS_ONLY: "only trumps are played",
}
HEADS = ("event", "hand", "trick", "player", "card", "led", "by", "trump", "held", "could follow with", "")


class FollowRule(TypedDict):
    """The rule of following that was in force."""

    follow: str
    says: str
    points: NotRequired[str]
    dirty: NotRequired[bool]
    reverse: NotRequired[bool]
    partners: NotRequired[str]


class OffSuitPlay(TypedDict):
    """A card that didn't follow."""

    version: int
    hand: int
    trick: int
    seat: int
    card: CardText
    leader: int
    led: CardText
    trump: Suit | None
    held: list[CardText]
    allowed: bool
    taken_back: bool
    could_follow: bool
    following: Annotated[list[CardText], says("The cards that would have followed.")]
    rules: FollowRule


class Revokes(HandAnswer):
    """The cards that didn't follow."""

    cards: list[OffSuitPlay]


class OffSuitCard(NamedTuple):
    """A card that didn't follow the suit led, and the cards that its player held then."""

    version: int
    hand: int
    trick: int
    seat: int
    card: Card
    leader: int
    led: Card
    trump: Suit | None
    held: tuple[Card, ...]
    following: tuple[Card, ...]
    allowed: bool
    rules: Rules
    taken_back: bool = False


def revokes(history: History, hand: int | None = None) -> Answer[Revokes]:
    """Return each card of the revealed hands, or of one hand, that didn't follow; a revoke is a finding."""
    selected = deals(history, hand)
    shown = {each.dealt.n for each in selected if each.revealed}
    cards, end = list[OffSuitCard](), Position()
    for transition in transitions(history):
        end = transition.after
        if isinstance(transition.event.data, CardPlayed) and is_in_shown_deal(hand, shown, transition):
            cards += _off_suit(transition)
        elif isinstance(transition.event.data, MovesTakenBack):
            cards = [_mark_taken_back(each, transition.event.data.to_version) for each in cards]
    who = player_names(history, end)
    findings, waits = tuple(_finding(each, who) for each in cards if not each.allowed), unrevealed_notes(selected)
    body: Revokes = {
        **question_json(history, "revokes"),
        "hand": hand,
        "cards": [_json(each) for each in cards],
        **findings_json(findings, waits),
    }
    return Answer(
        history,
        body,
        HEADS,
        [_row(each, who) for each in cards],
        (f"{_count(len(cards), 'card')} did not follow in {_count(len(shown), 'deal')} revealed",),
        findings,
        waits,
        (_verdict(cards, who, len(shown), len(selected)),),
    )


def _verdict(cards: list[OffSuitCard], who: dict[int, str], shown: int, dealt: int) -> str:
    """Return whether there was a revoke, and by whom; of hidden hands nobody knows yet."""
    wrong = [each for each in cards if not each.allowed]
    if wrong:
        players = " and ".join(dict.fromkeys(who[each.seat] for each in wrong))
        return f"there {'was a revoke' if len(wrong) == 1 else f'were {len(wrong)} revokes'}, by {players}"
    if not shown:
        return "nobody can say yet whether there was a revoke: no hand is revealed"
    every = "no revoke: " if shown == dealt else "no revoke in the hands that are revealed: "
    return f"{every}every card that didn't follow was allowed" if cards else f"{every}every card followed"


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"


def _mark_taken_back(card: OffSuitCard, to_version: int) -> OffSuitCard:
    """Return the card, marked as taken back if it was played after version `to_version`."""
    return card._replace(taken_back=card.taken_back or card.version > to_version)


def _off_suit(transition: Transition) -> list[OffSuitCard]:
    """Return the card just played, unless it led or followed suit."""
    before, fact, rules = transition.before, transition.event.data, transition.before.rules
    hand = before.live
    if not hand.table:
        return []
    led, suit = hand.table[0], suit_in_play(rules, hand.trump, hand.table[0].card)
    if suit_in_play(rules, hand.trump, fact.card) == suit:
        return []
    held = tuple(sort_cards(hand.cards.get(fact.seat, ())))
    following = tuple(card for card in held if suit_in_play(rules, hand.trump, card) == suit)
    return [
        OffSuitCard(
            transition.event.version,
            hand.dealt.hand,
            len(hand.takers) + 1,
            fact.seat,
            fact.card,
            led.seat,
            led.card,
            hand.trump,
            held,
            following,
            is_allowed(rules, hand, fact.card, following),
            rules,
        )
    ]


def suit_in_play(rules: Rules, trump: Suit | None, card: Card) -> Suit | None:
    """Return a card's suit in the play: jokers and off cards that count are trumps."""
    return trump if is_trump(rules, trump, card) else SUIT[card]


def is_allowed(rules: Rules, hand: HandRead, card: Card, following: tuple[Card, ...]) -> bool:
    """Return whether a card that doesn't follow is legal; its player could have followed with `following`."""
    if rules.follow is Follow.TRUMPS_ONLY:
        return is_trump(rules, hand.trump, card)
    return not following or (rules.follow is Follow.SUIT_OR_TRUMP and is_trump(rules, hand.trump, card))


def _json(card: OffSuitCard) -> OffSuitPlay:
    return {
        "version": card.version,
        "hand": card.hand,
        "trick": card.trick,
        "seat": card.seat,
        "card": card.card,
        "leader": card.leader,
        "led": card.led,
        "trump": card.trump,
        "held": list(card.held),
        "allowed": card.allowed,
        "taken_back": card.taken_back,
        "could_follow": bool(card.following),
        "following": list(card.following),
        "rules": _rule_json(card.rules),
    }


def _rule_json(rules: Rules) -> FollowRule:
    summary = rules.setting
    rule: FollowRule = {"follow": rules.follow.value, "says": FOLLOW_RULES[rules.follow]}
    if summary.points:
        rule["points"], rule["dirty"], rule["reverse"] = summary.points, summary.dirty, summary.reverse
        rule["partners"] = summary.partners.value
    return rule


def _row(card: OffSuitCard, who: dict[int, str]) -> tuple[object, ...]:
    verdict = "revoke" if not card.allowed else "trumps, which is allowed" if card.following else ""
    back = "taken back" if card.taken_back else ""
    return (
        card.version,
        card.hand,
        card.trick,
        who[card.seat],
        card.card,
        card.led,
        who[card.leader],
        card.trump,
        " ".join(card.held),
        " ".join(card.following) or "nothing",
        " ".join(filter(None, (verdict, back, _setting(card.rules)))),
    )


def _setting(rules: Rules) -> str:
    setting = rules.setting
    if not setting.points:
        return ""
    partners = setting.partners.value
    return describe_setting(setting.points, dirty=setting.dirty, reverse=setting.reverse, partners=partners)


def _finding(card: OffSuitCard, who: dict[int, str]) -> Finding:
    could = f"and could have played {' or '.join(card.following)}" if card.following else "which isn't a trump"
    says = f"{who[card.seat]} plays {card.card} to {card.led}, {could}: {FOLLOW_RULES[card.rules.follow]}"
    return Finding(card.version, says)
