"""The state of each queue by name, which `trickbook doctor` and the metrics show to the operator."""

from api.container import Services
from api.delivery.stored.queue import QUEUES, WEBHOOKS, QueueState
from api.inbox.services.webhook_sender import behind
from api.inbox.stored.webhooks import Webhook
from domain.engine.timestamps import parse_time
from projections.lists.inbox_pages import inbox_page

MOST_READ = 20
"""Of how many webhooks the first entry that waits is read."""


def queue_states(services: Services) -> dict[str, QueueState]:
    """Return the state of each queue by name."""
    states = {name: services.accounts.deliveries.state_of(name) for name in QUEUES}
    # a webhook is always an item: what waits are entries of its player's inbox
    lacking = behind(services.accounts.webhooks.waiting(), services.rows, services.accounts.steps)
    states[WEBHOOKS] = states[WEBHOOKS]._replace(waiting=len(lacking), oldest=_oldest(services, lacking[:MOST_READ]))
    return states


def _oldest(services: Services, lacking: list[Webhook]) -> int | None:
    """Return the time of the first entry that these webhooks lack."""
    found = list[int]()
    with services.rows.snapshot("inbox") as reading:
        for each in lacking:
            after = each.number if each.generation == reading.generation else 0
            page = inbox_page(reading, each.player, after, 1, each.game)
            found += [parse_time(entry["at"]) for entry in page.entries]
    return min(found, default=None)
