"""The words that a host or player typed, judged as the HTTP API judges a body."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from marshmallow import Schema, ValidationError

from api.cli.common.config import CannotAnswer
from api.problem import Problem
from api.schemas import GivenInput
from api.web.exception_handlers import sentences_of


@contextmanager
def exit_on_invalid() -> Iterator[None]:
    """End the command with the sentences that the HTTP API has for what is invalid."""
    try:
        yield
    except ValidationError as error:
        raise CannotAnswer(" ".join(sentences_of(error.messages))) from None
    except Problem as error:
        raise CannotAnswer(str(error)) from None


def load_fields(schema: Schema, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields if the HTTP API would accept them in a body; raise CannotAnswer if not."""
    with exit_on_invalid():
        return dict(GivenInput(fields)(schema).fields)
