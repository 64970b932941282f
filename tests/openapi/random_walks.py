"""Walks from the description: each request follows a link of a response before it."""

import copy
from collections import Counter
from contextlib import suppress
from random import Random
from typing import Any

from hypothesis.errors import FlakyStrategyDefinition
from schemathesis.core.parameters import ParameterLocation

from api.http.openapi.links import operation_id
from api.http.openapi.operations import OPERATIONS
from tests.openapi.random_requests import ENDS_THE_CALLER, described_by, is_invalid_in, steady
from tests.openapi.world import PITCH, World

FORMING = PITCH | {"seats": ["ann", "open", "invite"]}
BODIES: dict[str, list[Any]] = {
    operation_id(endpoint): [operation.example] for endpoint, operation in OPERATIONS.items() if operation.bodies
}
BODIES["opening_open_game"].append(FORMING)
"""Bodies that often succeed, so that there are responses with links."""
USUAL = 0.7
"""How often a walk sends one of them instead of a random body that the description allows."""
TOGETHER = 5
"""How many walks have one seed: more of them than that are unlikely to find a server that answers as it did before."""


def follow_links(world: World, caller: str, examples: int, steps: int) -> Counter[str]:
    """Take walks, each of `steps` requests, and return how often each operation succeeded."""
    machine: Any = described_by(world).exclude(operation_id=sorted(ENDS_THE_CALLER)).as_state_machine()
    succeeded = Counter[str]()
    for seed in range(0, examples, TOGETHER):
        walks = _walks(machine, world.tokens[caller], seed, succeeded)
        with suppress(FlakyStrategyDefinition):  # the server answered a repeated request in another way, as it may
            walks.run(settings=steady(TOGETHER, stateful_step_count=steps))
    return succeeded


def _walks(machine: Any, token: str | None, seed: int, succeeded: Counter[str]) -> Any:
    """Return the machine with our token and bodies. It counts what succeeds."""
    chance = Random(seed)

    def choose_body(_: Any, case: Any) -> None:
        usual = BODIES.get(_name(case))
        if usual and not is_invalid_in(case, ParameterLocation.BODY) and chance.random() < USUAL:
            case.body = copy.deepcopy(chance.choice(usual))

    def options(_: Any, case: Any) -> dict[str, Any]:
        return {} if token is None else {"headers": {"Authorization": f"Bearer {token}"}}

    def validate(walk: Any, response: Any, case: Any, **more: Any) -> None:
        machine.validate_response(walk, response, case, **more)
        if response.status_code < 300:
            succeeded[_name(case)] += 1

    changes = {"before_call": choose_body, "get_call_kwargs": options, "validate_response": validate}
    return type("Walks", (machine,), changes | {"_hypothesis_internal_use_seed": seed})


def _name(case: Any) -> str:
    return str(case.operation.definition.raw["operationId"])
