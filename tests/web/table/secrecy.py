"""The search for hidden cards in a page: its nodes, its storage, the answers it got, and the memory of its scripts."""

import json
import re

from playwright.sync_api import Page

from api.pages.static_files import FILES
from tests.web.table.room import HANDLE, Person, View
from tests.web.table.spoken import words

DECK = re.compile(r'"deck":\[[^\]]*\]')
STORED = "() => JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)])"
SHOWN = """() => {
  const copy = document.documentElement.cloneNode(true);
  for (const one of copy.querySelectorAll(".calls")) one.remove();
  return copy.outerHTML + document.title;
}"""
"""The texts that a page shows. A choice of a card to call names every card, so it tells nothing of any."""
SCRIPTS = {file.body.decode() for name, file in FILES.items() if name.endswith(".js")}
"""The page's own scripts, which are in its memory and name both jokers."""
STRINGS = '"strings":'
SECRET_FACTS = ('"fact":"StockLaid"', '"fact":"SeedKept"')


def hidden_cards(own_views: list[View], seat: int | None) -> set[str]:
    """Return the cards in hands that this seat, or a watcher, doesn't see; in the blind hand its own is among them."""
    held = {str(view["seat"]): set(view["cards"] or ()) for view in own_views}
    for view in own_views:
        held |= {other: set(cards) for other, cards in view["sees"].items()}
    everything = set[str]().union(*held.values())
    if seat is None:
        return everything
    mine = own_views[seat]
    return everything - set(mine["cards"] or ()).union(*mine["sees"].values())


def search(page: Page, viewer: Person, cards: set[str]) -> None:
    """Fail if the page holds one of these cards outside the list of the deck."""
    shown, stored = page.evaluate(SHOWN), page.evaluate(STORED)
    texts = DECK.sub("", "\n".join([shown, stored.replace("\\", ""), *viewer.got]))
    for card in cards:
        assert words(card) not in shown, f"{card} is on the page"
        assert f'"{card}"' not in texts, f"{card} is in the page's nodes, its storage or an answer"


def search_heap(page: Page, cards: set[str]) -> None:
    """Fail if the memory of the page's scripts holds a secret fact, or a text with one of these cards.

    The scripts say both jokers in words, for their rules.
    """
    strings = heap_strings(page)
    texts = _texts(strings)
    for card in cards:
        assert not [text for text in texts if f'"{card}"' in text], f"{card} is in a text in memory"
        is_said_by_all = any(f'"{words(card)}"' in script for script in SCRIPTS)
        assert is_said_by_all or words(card) not in strings, f"{card} is in memory in words"
    assert not [text for text in texts if any(fact in text for fact in SECRET_FACTS)]


def heap_strings(page: Page) -> list[str]:
    """Return all texts in the memory of the page's scripts. The rest of the snapshot, most of it, isn't parsed."""
    session = page.context.new_cdp_session(page)
    chunks = list[str]()
    session.on("HeapProfiler.addHeapSnapshotChunk", lambda sent: chunks.append(sent["chunk"]))
    session.send("HeapProfiler.takeHeapSnapshot", {"reportProgress": False})
    session.detach()
    snapshot = "".join(chunks)
    strings: list[str] = json.loads(snapshot[snapshot.rindex(STRINGS) + len(STRINGS) : snapshot.rindex("}")])
    assert len(strings) > 1000
    return strings


def _texts(strings: list[str]) -> list[str]:
    """Return the texts that can hold an event: neither short, nor a script of the page; without decks."""
    long = [text for text in strings if len(text) > len('{"card":"10D"}')]
    return [DECK.sub("", text) for text in long if text.replace(HANDLE, "") not in SCRIPTS]
