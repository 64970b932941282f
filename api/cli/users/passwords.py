"""Passwords that a host types or pipes into a command."""

import sys

import click

from api.cli.common.invalid_input import load_fields
from api.http.schemas import Registration


def ask_password() -> str:
    """Return the password: typed twice at a terminal, otherwise one line of standard input."""
    if sys.stdin.isatty():
        typed: str = click.prompt("Password", hide_input=True, confirmation_prompt=True)
        return typed
    return sys.stdin.buffer.readline().decode(errors="surrogateescape").rstrip("\r\n")


def load_registration(name: str, password: str) -> dict[str, str]:
    """Return name and password if `POST /users` would accept them; raise CannotAnswer if not."""
    return load_fields(Registration(), {"name": name, "password": password})


def load_password(password: str) -> str:
    """Return the password if `POST /users` would accept it; raise CannotAnswer if not."""
    accepted: str = load_fields(Registration(only=("password",)), {"password": password})["password"]
    return accepted
