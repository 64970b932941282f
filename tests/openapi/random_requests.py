"""Random requests from the description: schemathesis sends them to an app and checks each response."""

from typing import Any

import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.core.parameters import ParameterLocation

from tests.openapi.world import World

ENDS_THE_CALLER = {"users_log_out", "own_tokens_end_others", "own_tokens_change_password", "leaving_leave"}
"""Operations that end the token of the request: they are sent without one."""
REFUSED = ["400", "401", "403", "404", "406", "409", "412", "413", "414", "415", "422", "429", "431"]
"""The statuses of a request that the description doesn't allow."""
LEFT_OUT = {
    "ignored_auth": "a route that needs a token is 401 without one: tests/api/http/test_routes.py",
    "missing_required_header": "no header is required",
    "positive_data_acceptance": "whether a valid body is accepted depends on the game",
    "unsupported_method": "tests/api/http/test_problems.py",
    "use_after_free": "another player's resource is as good as gone",
    "ensure_resource_availability": "a table that its opener cancels isn't there any more",
}
"""The checks of schemathesis that don't hold, or that other tests do."""


def described_by(world: World) -> Any:
    """Return the description that the server sends, as schemathesis reads it."""
    return with_our_checks(schemathesis.openapi.from_wsgi("/openapi.json", world.app))


def with_our_checks(schema: Any) -> Any:
    """Return a description whose requests are checked as this interface means it."""
    schema.config.generation.update(codec="ascii", allow_x00=False, with_security_parameters=False)
    schema.config.checks.negative_data_rejection.expected_statuses = REFUSED
    schema.config.checks.not_a_server_error.expected_statuses = ["2xx", "3xx", "4xx", "503"]
    for check in LEFT_OUT:
        getattr(schema.config.checks, check).enabled = False
    return schema


def operations_of(world: World) -> dict[str, Any]:
    """Return the operations of the description, by id."""
    found = (result.ok() for result in described_by(world).get_all_operations())
    return {operation.definition.raw["operationId"]: operation for operation in found}


def steady(examples: int) -> settings:
    """Return settings with the same examples in every run."""
    return settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )


def valid_or_not(operation: Any) -> st.SearchStrategy[Any]:
    """Return requests that the description allows, and requests with something that it doesn't."""
    valid: st.SearchStrategy[Any] = operation.as_strategy(generation_mode=GenerationMode.POSITIVE)
    invalid: st.SearchStrategy[Any] = operation.as_strategy(generation_mode=GenerationMode.NEGATIVE)
    return st.one_of(valid, invalid)


def is_invalid_in(case: Any, location: ParameterLocation) -> bool:
    """Return whether the description doesn't allow this part of a request."""
    component = case.meta.components.get(location)
    return component is not None and component.mode == GenerationMode.NEGATIVE


def send_requests(world: World, operation: Any, examples: int) -> None:
    """Send requests of one operation, most of them about something that exists, and check the responses."""
    name: str = operation.definition.raw["operationId"]
    callers = ["stranger"] if name in ENDS_THE_CALLER else sorted(world.tokens)

    @steady(examples)
    @given(case=valid_or_not(operation), caller=st.sampled_from(callers), data=st.data())
    def send(case: Any, caller: str, data: st.DataObject) -> None:
        if not is_invalid_in(case, ParameterLocation.PATH):
            for variable in list(case.path_parameters or {}):
                if variable in world.known and data.draw(st.integers(0, 4)):
                    case.path_parameters[variable] = data.draw(st.sampled_from(world.known[variable]))
        token = world.tokens[caller]
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        # without a socket, nothing unpacks what is compressed
        case.call_and_validate(headers=headers | {"Accept-Encoding": "identity"})

    send()
