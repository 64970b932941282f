"""`trickbook` with webhooks that reach a receiver of the tests: `... two_nodes.node_program serve`.

`RECEIVER_PEM` names the file with the receiver's certificate. With `TOMORROW=yes`, it's a release that writes a
new version of the fact `SeatResigned`.
"""

import os
import ssl
from functools import partial
from pathlib import Path
from typing import cast
from unittest.mock import patch

import api.worker as worker_module
from api.cli.main import main
from api.inbox.services.guarded_post import GuardedPoster
from api.inbox.services.webhook_sender import WebhookSender
from domain import events
from domain.events import upcasts
from domain.events.declaring import Upcast
from tests.inbox.receivers import guarded_poster


def open_poster(threads: int) -> GuardedPoster:
    """Return a poster for which every host is on this machine, and which trusts the receiver."""
    context = ssl.create_default_context()
    context.load_verify_locations(Path(os.environ["RECEIVER_PEM"]))
    return guarded_poster(context, threads)


def run() -> None:
    """Run the program."""
    if os.environ.get("TOMORROW") == "yes":
        events.FACT_VERSIONS["SeatResigned"] = 2
        cast("dict[tuple[str, int], Upcast]", upcasts.FACT_UPCASTS)["SeatResigned", 1] = lambda data: data
    with patch.object(worker_module, "WebhookSender", partial(WebhookSender, open_poster=open_poster)):
        main()


if __name__ == "__main__":
    run()
