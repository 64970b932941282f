"""The page at /docs in a real browser: it shows the description of its own server, and loads nothing else."""

import json
import re
from collections import defaultdict
from typing import Any

from playwright.sync_api import Route, expect

from api.description.document import TAGS
from tests.web.pages.visitors import Visitor

REFERENCE = re.compile(r'"#/components/(\w+)/([^"]+)"')
LIVE = "/health/live"


def with_one_route(route: Route) -> None:
    """Answer with the description of one route, and of what it refers to: the page reads all of it for each request."""
    whole = route.fetch().json()
    kept, waiting = defaultdict[str, dict[str, Any]](dict), [whole["paths"][LIVE]]
    while waiting:
        for kind, name in REFERENCE.findall(json.dumps(waiting.pop())):
            if name not in kept[kind]:
                kept[kind][name] = whole["components"][kind][name]
                waiting.append(kept[kind][name])
    route.fulfill(json=whole | {"paths": {LIVE: whole["paths"][LIVE]}, "components": kept, "webhooks": {}})


def test_the_page_shows_every_tag_and_sends_a_request_to_this_server(stranger: Visitor) -> None:
    page = stranger.page("/docs")
    expect(page.locator(".opblock-tag")).to_have_count(len(TAGS))
    page.route("**/openapi.json", with_one_route)
    page.reload()
    page.locator(".opblock-tag").last.click()
    route = page.locator("#operations-server-health_live")
    route.locator(".opblock-summary-control").click()
    route.get_by_role("button", name="Try it out").click()
    route.get_by_role("button", name="Execute").click()
    expect(route.locator(".live-responses-table .response .response-col_status")).to_contain_text("200")
