"""Passwords that a host types or pipes into a command."""

import json
import sys

import click
from marshmallow import ValidationError

from api.cli.common.config import CannotAnswer
from api.http.problems import Problem, sentences_of
from api.http.schemas import Registration
from api.http.strict_json import parse_object


def ask_password() -> str:
    """Return the password: typed twice at a terminal, otherwise one line of standard input."""
    if sys.stdin.isatty():
        typed: str = click.prompt("Password", hide_input=True, confirmation_prompt=True)
        return typed
    return sys.stdin.buffer.readline().decode(errors="surrogateescape").rstrip("\r\n")


def load_registration(name: str, password: str) -> dict[str, str]:
    """Return name and password if `POST /users` would accept them; raise CannotAnswer if not."""
    return _load(Registration(), {"name": name, "password": password})


def load_password(password: str) -> str:
    """Return the password if `POST /users` would accept it; raise CannotAnswer if not."""
    return _load(Registration(only=("password",)), {"password": password})["password"]


def _load(schema: Registration, fields: dict[str, str]) -> dict[str, str]:
    try:
        loaded: dict[str, str] = schema.load(parse_object(json.dumps(fields).encode()))
    except ValidationError as error:
        raise CannotAnswer(" ".join(sentences_of(error.messages))) from None
    except Problem as error:
        raise CannotAnswer(str(error)) from None
    return loaded
