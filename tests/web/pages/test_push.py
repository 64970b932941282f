"""Web Push in the settings: on, a test, off; and what the worker shows of a message.

No push service can be reached from here, so the browser's subscription is a stand-in.
"""

import json

from playwright.sync_api import expect

from tests.inbox.test_push import Browser
from tests.web.pages.visitors import Visitor
from tests.web.table.room import until

ENDPOINT = "https://push.cards.net/send/abc"
STAND_IN = f"""
if (window.PushManager) {{
  const made = {{
    endpoint: "{ENDPOINT}",
    toJSON: () => ({{ endpoint: "{ENDPOINT}", keys: {json.dumps(Browser().keys)} }}),
    unsubscribe: async () => localStorage.removeItem("subscribed"),
  }};
  PushManager.prototype.getSubscription = async () => (localStorage.getItem("subscribed") ? made : null);
  PushManager.prototype.subscribe = async (options) => {{
    localStorage.setItem("subscribed", JSON.stringify(options));
    return made;
  }};
}}"""
NOTE_SHOWN = "() => { self.registration.showNotification = async (...shown) => { self.shown = shown; }; }"


def test_a_player_switches_push_on_tests_it_and_switches_it_off(stranger: Visitor) -> None:
    stranger.sign_up("pushkin")
    stranger.context.grant_permissions(["notifications"])
    stranger.context.add_init_script(STAND_IN)
    page = stranger.page("/me")
    box = page.get_by_label("Also when no page is open")
    box.click()
    expect(page.get_by_role("button", name="Send a test")).to_be_visible()
    [made] = stranger.ask("GET", "/me/webhooks")["items"]
    assert (made["url"], made["format"], made["status"]) == (ENDPOINT, "push", "on")
    asked = json.loads(page.evaluate("localStorage.getItem('subscribed')"))
    key = stranger.ask("GET", "/me/webhooks")["push_key"]
    assert asked == {"userVisibleOnly": True, "applicationServerKey": key}
    page.get_by_role("button", name="Send a test").click()
    expect(page.locator(".toast")).to_contain_text("A test is on its way.")
    [worker] = stranger.context.service_workers
    worker.evaluate(NOTE_SHOWN)
    session = stranger.context.new_cdp_session(page)
    found: list[dict[str, str]] = []
    session.on("ServiceWorker.workerRegistrationUpdated", lambda event: found.extend(event["registrations"]))
    session.send("ServiceWorker.enable")
    message = {"kind": "turn", "id": "7.1", "board": 12, "variant": "pitch"}
    until(page, lambda: found)
    data = {"origin": stranger.home, "registrationId": found[-1]["registrationId"], "data": json.dumps(message)}
    session.send("ServiceWorker.deliverPushMessage", data)
    until(page, lambda: worker.evaluate("() => self.shown"))
    title, options = worker.evaluate("() => self.shown")
    assert (title, options) == (
        "trickbook · gamerz Pitch 12",
        {"body": "It's your turn.", "tag": "7.1", "data": "/games/12"},
    )
    box.click()
    expect(page.get_by_role("button", name="Send a test")).to_have_count(0)
    expect(box).not_to_be_checked()
    assert stranger.ask("GET", "/me/webhooks")["items"] == []
    assert page.evaluate("localStorage.getItem('subscribed')") is None
