"""The questions of a newcomer at the table: what the time is for, which trick is the last one, what a score says, and
which rules have changed."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from api.pages.languages import ENGLISH, messages
from projections.lists.scoreboard_pages import ScoreboardFold
from tests.web.table.pages import show
from tests.web.table.recorded import PLAYED, Moment, history, moments, one_of_each

CLOCK = """([view, now]) => import("/static/table/headline.js").then(({ clockText }) => clockText({ view }, now))"""


def test_the_time_that_is_left_says_what_for(page: Page) -> None:
    cut = {"deadline": "1970-01-03T00:00:00Z"}
    person, bot = {"kind": "human"}, {"kind": "bot"}
    turn = {"deadline": "1970-01-21T12:00:00Z"}
    view = {"status": "active", "turn": turn, "clock": None, "ceremony": None, "seats": [person, person, bot]}
    assert page.evaluate(CLOCK, [view, 0]) == "20 days left to move"
    assert page.evaluate(CLOCK, [view | {"ceremony": cut}, 0]) == "2 days left to cut"
    alone = view | {"seats": [person, bot, bot]}
    assert page.evaluate(CLOCK, [alone, 0]) == ""
    assert page.evaluate(CLOCK, [alone | {"turn": {"deadline": "1970-01-01T02:00:00Z"}}, 0]) == "2 hours left to move"


def second_trick() -> Moment:
    """Return the first moment in which the second trick has been taken, in a game whose tricks lie face up."""
    found = moments(history("Pitch"), None)
    return next(each for each in found if last_trick_of(each) == 2)


def last_trick_of(moment: Moment) -> int | None:
    last = (moment.view["hand"] or {}).get("last_trick")
    return last["number"] if last else None


def test_the_last_trick_is_the_one_before_the_trick_that_is_just_gathered(page: Page) -> None:
    moment = second_trick()
    taken = [item["event"] for item in moment.items if "event" in item and item["event"]["fact"] == "TrickTaken"]
    for event in taken:
        plays = event["data"]["plays"]
        gathered = {"number": event["data"]["trick"], "leader": plays[0]["seat"], "plays": plays}
        show(page, moment, shown=gathered | {"taker": event["data"]["seat"], "version": event["version"]})
        said = "No trick yet" if event["data"]["trick"] == 1 else "took trick 1"
        expect(page.locator(".last-text")).to_contain_text(said)
        expect(page.locator(".trick .play")).to_have_count(len(plays))
    show(page, moment)
    expect(page.locator(".last-text")).to_contain_text("took trick 2")


def test_the_last_trick_of_four_players_lies_in_one_row(page: Page) -> None:
    found = moments(history("Blackout"), 0)
    moment = next(each for each in found if last_trick_of(each))
    show(page, moment)
    expect(page.locator(".last .mini")).to_have_count(4)
    places = page.eval_on_selector_all(".last .mini", "all => all.map((each) => each.getBoundingClientRect().y)")
    assert len(set(places)) == 1
    cut = "all => all.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.textContent)"
    assert page.eval_on_selector_all(".last .mini figcaption", cut) == []


def test_a_row_of_the_scores_says_the_bid_and_what_became_of_it(page: Page) -> None:
    moment = second_trick()
    lines = [{"total": 3, "text": "ann"} for _ in moment.view["seats"]]
    hand = {"hand": 1, "pitcher": 0, "bid": 3, "lines": lines}
    hands = [hand | {"made": True}, hand | {"hand": 2, "made": False}]
    show(page, moment, board={"hands": hands, "totals": [3 for _ in lines]})
    expect(page.locator(".score-table .made")).to_have_text([" bid 3, made", " bid 3, set"])


def test_the_own_seat_is_called_you_everywhere_and_the_score_lines_are_explained(page: Page) -> None:
    moment = second_trick()
    line = {"total": 3, "exact": None, "pegs": [{"point": "high", "credited": True}], "count": None}
    lines = [line for _ in moment.view["seats"]]
    hand = {"hand": 1, "pitcher": 0, "bid": 3, "made": True, "lines": lines, "words": ["high"], "marks": []}
    own = Moment(
        0, moment.view | {"you": {"seat": 0, "cards": [], "legal": [], "may": [], "choose": None}}, moment.items
    )
    board = {"hands": [hand], "totals": [3 for _ in lines]}
    show(page, own, board=board)
    expect(page.locator(".own-area .seat-name")).to_have_text("You")
    expect(page.locator(".score-lines pre")).to_have_text(re.compile("^You +3  high"))
    expect(page.locator(".lines-note")).to_contain_text("the points won, and the game count")


def test_a_ruling_calls_the_own_seat_you(page: Page) -> None:
    show(page, one_of_each("disputes", (0,))["auction bid pass turn ruled disputed ruled"])
    expect(page.locator(".ask.dispute")).to_contain_text("scores are adjusted, You +1 and bob \N{MINUS SIGN}2")
    expect(page.locator(".ask.dispute")).to_contain_text("Scores as ruled: You 3 and bob 4.")


@pytest.mark.parametrize("name", [*PLAYED, "disputes"])
def test_score_lines_are_those_of_the_record_with_the_names_of_the_page(name: str, page: Page) -> None:
    game, board = history(name), ScoreboardFold()
    for event in [line.event for line in game.lines if line.event is not None]:
        board.add(event)
    moment = list(moments(game, None))[-1]
    scored = board.board({})
    assert scored is not None
    assert scored["hands"] != []
    for hand in scored["hands"]:
        show(page, moment, board=scored | {"hands": [hand]})
        shown = page.locator(".score-lines pre").inner_text().splitlines()
        players = moment.view["seats"]
        names = [moment.view["names"].get(each["player"], f"Bot {each['player'][-1]}") for each in players]
        cut = [max(len(each["player"]) for each in players), max(map(len, names))]
        recorded = [each["text"][cut[0] :] for each in hand["lines"]]
        assert [each[cut[1] :] for each in shown] == recorded


def test_the_first_bid_says_what_the_points_are(page: Page) -> None:
    found = moments(history("Pitch"), 0)
    bid = next(each for each in found if each.view["you"]["legal"] and each.view["phase"] == "auction")
    show(page, bid)
    expect(page.locator(".choice-note")).to_have_text("A hand has high, low, jack, game, and smudge.")
    later = bid.view["hand"] | {"number": 2}
    show(page, Moment(0, bid.view | {"hand": later}, bid.items))
    expect(page.locator(".choice-note")).to_have_count(0)


HAND_AT = "document.querySelector('#own-hand').getBoundingClientRect().y"


def changed_moments() -> list[tuple[Moment, list[int]]]:
    """Return own turns just after changes of the rules, in a game that changes all the time, and their versions."""
    found = list[tuple[Moment, list[int]]]()
    for moment in moments(history("Corellian"), 0):
        events = [item["event"] for item in moment.items[-20:] if "event" in item]
        versions = [event["version"] for event in events if event["fact"] == "RulesChanged"]
        if versions and moment.view["you"]["legal"] and moment.view["phase"] == "play":
            found.append((moment, versions))
    return found


def test_changes_of_the_rules_are_marked_in_their_place_and_the_hand_stays_and_why_is_a_click_away(page: Page) -> None:
    changed = changed_moments()
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 740})
        for moment, versions in changed:
            show(page, moment, news=versions[0] - 1)
            expect(page.locator(".rules-title")).to_have_text("Rules changed: Why?")
            at = page.evaluate(HAND_AT)
            show(page, moment, news=moment.view["version"])
            expect(page.locator(".rules-title")).to_have_count(0)
            assert page.evaluate(HAND_AT) == at
    page.set_viewport_size({"width": 1280, "height": 800})
    moment, versions = changed[-1]
    show(page, moment, news=versions[0] - 1)
    page.get_by_role("button", name="Why?").click()
    dialog = page.get_by_role("dialog", name="Rules changed")
    later = [item["event"] for item in moment.items if "event" in item and item["event"]["version"] >= versions[0]]
    told = [event for event in later if event["fact"] in ("RulesChanged", "RulesChangeDeferred")]
    expect(dialog.get_by_role("listitem")).to_have_count(len(told))
    expect(dialog.get_by_role("listitem").first).to_contain_text("Drawn by lot before turn")
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_have_count(0)


IN_WORDS = """(text) => import("/static/table/news.js").then(({ inWords }) => inWords(text))"""


def test_a_refusal_names_cards_in_words(page: Page) -> None:
    said = "You must follow the suit led, diamonds. You can play 10D, 4S, or X2."
    words = (
        "You must follow the suit led, diamonds. You can play the ten of diamonds, the four of spades, or the joker 2."
    )
    assert page.evaluate(IN_WORDS, said) == words
    assert page.evaluate(IN_WORDS, "With 1, the bids would add up to 1.") == "With 1, the bids would add up to 1."


REFUSED = """([type, detail, legal]) => Promise.all([import("/static/base/net.js"), import("/static/table/news.js")])
  .then(([{ Problem }, { refusalWords }]) => {
    const problem = new Problem(409, { type: `/problems/${type}`, title: "", status: 409, detail }, null);
    return [problem.message, refusalWords(problem.type, problem.detail, { rules: { moon: 11 }, you: { legal } })];
  })"""
CARDS = [{"type": "play", "card": card} for card in ("10D",)]
BIDS = [{"type": "bid", "bid": 11}]


@pytest.mark.parametrize(
    ("language", "card", "bid"),
    [
        ("de", "Du kannst Karo-Zehn spielen.", "Du kannst Durchmarsch bieten."),
        ("es", "Puedes jugar diez de diamantes.", "Puedes pujar la luna."),
    ],
)
def test_a_refusal_is_in_the_language_of_the_page_and_says_what_can_be_done(
    language: str, card: str, bid: str, page_in: Callable[[str], Page]
) -> None:
    page, texts = page_in(language), messages(language)
    for type_, moves, says in (("must-follow", CARDS, card), ("bid-too-low", BIDS, bid)):
        sentence = texts[f"refusal.{type_}"]
        assert page.evaluate(REFUSED, [type_, "You can't.", moves]) == [sentence, f"{sentence} {says}"]
    assert page.evaluate(REFUSED, ["of-tomorrow", "You can't.", BIDS]) == ["You can't."] * 2
    assert page_in(ENGLISH).evaluate(REFUSED, ["must-follow", "You can't.", CARDS]) == ["You can't."] * 2


TABS_AT = "document.querySelector('.tabs').getBoundingClientRect().y"


def test_the_tabs_beside_the_table_keep_their_place_in_every_trick(page: Page) -> None:
    for variant in ("Pitch", "Setback"):
        hand = [each for each in moments(history(variant), 0) if (each.view["hand"] or {}).get("number") == 2]
        for width in (390, 1280):
            page.set_viewport_size({"width": width, "height": 800})
            places = set[int]()
            for moment in hand:
                show(page, moment)
                places.add(
                    page.evaluate(
                        f"Math.round({TABS_AT} - document.querySelector('.table-side').getBoundingClientRect().y)"
                    )
                )
            assert len(places) == 1, (variant, width, places)
    page.set_viewport_size({"width": 1280, "height": 800})


def test_a_message_is_announced_above_the_hand_of_a_phone(page: Page) -> None:
    moment = next(each for each in moments(history("Pitch"), 0) if each.view["hand"])
    other = moment.view["seats"][1]["player"]
    message = {"id": "m1", "by": other, "text": "well played", "to": "table", "erased": False}
    chat = {"items": [message | {"id": "m0"}, message], "names": {other: "bob"}, "open": True}
    page.set_viewport_size({"width": 390, "height": 844})
    show(page, moment, chat=chat, unread=2)
    expect(page.get_by_role("button", name="bob writes: well played")).to_be_visible()
    expect(page.locator(".unread-count")).to_have_text("2")
    show(page, moment, chat=chat)
    expect(page.locator(".unread")).to_have_count(0)
    page.set_viewport_size({"width": 1280, "height": 800})
    show(page, moment, chat=chat, unread=2)
    expect(page.locator(".unread")).to_be_hidden()


def test_players_see_where_the_others_are_by_shape_and_words(page: Page) -> None:
    moment = next(each for each in moments(history("Pitch"), 0) if each.view["hand"])
    where = [None, "table", "away", "offline"][: len(moment.view["seats"])]
    show(page, moment, presence=where)
    said = {"table": "at the table", "away": "away", "offline": "offline"}
    shapes = set[str]()
    for seat, state in enumerate(where):
        marks = page.locator(f"[data-seat='{seat}'] .presence")
        expect(marks).to_have_count(0 if state is None else 1)
        if state:
            expect(marks).to_have_accessible_name(said[state])
            shapes.add(marks.locator("path").get_attribute("d") or "")
    assert len(shapes) == len([state for state in where if state])
