"""The list of routes of docs/http.md. The rest of the page is prose.

`python -m tests.generators.http_page` writes it from what each route declares.
"""

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from api.app import API
from api.description.document import TAGS
from api.description.parameters import path_of
from api.web.route import TaggedBlueprint
from tests.generators.events_page import wrap
from tests.routes import ROUTED_APP, ROUTES

PAGE = Path(__file__).parents[2] / "docs" / "http.md"
PAGES = "pages"
START = "<!-- The rest is written by `python -m tests.generators.http_page`. -->\n"
INTRO = f"""\
## Routes

The routes of each group are below `{API}`, except for those of the last two groups and `/.well-known`.
"""


def with_current_lists(text: str) -> str:
    """Return the page with the lists as the program has them now."""
    return text.partition(START)[0] + START + "\n" + "\n".join(_routes()).rstrip() + "\n"


def _routes() -> Iterator[str]:
    """Yield the routes of each tag, in the order of the description; of pages, the addresses alone."""
    yield from (*INTRO.splitlines(), "")
    for tag, says in TAGS.items():
        yield from (f"**{says}**", "")
        if tag == PAGES:
            yield from wrap(f"{', '.join(route for route, _ in _routes_of(tag))}.")
        else:
            yield from chain.from_iterable(wrap(f"* {route}: {does}") for route, does in _routes_of(tag))
        yield ""


def _routes_of(tag: str) -> Iterator[tuple[str, str]]:
    for rule in ROUTED_APP.url_map.iter_rules():
        declared = ROUTES[rule.endpoint]
        if (declared.tag or _tag_of_blueprint(rule.endpoint)) == tag:
            for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
                yield f"`{method} {path_of(rule).removeprefix(API)}`", declared.summary


def _tag_of_blueprint(endpoint: str) -> str:
    blueprint = ROUTED_APP.blueprints[endpoint.partition(".")[0]]
    assert isinstance(blueprint, TaggedBlueprint)
    return blueprint.tag


if __name__ == "__main__":
    PAGE.write_text(with_current_lists(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
