"""All that a test draws follows from its id: ids, keys, salts, decks and the moves of bots in this process."""

import os
import random
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

import pytest

_names, _children = [""], [0]


@contextmanager
def seeded_randomness(name: str) -> Iterator[None]:
    """Make everything that this process draws inside the block follow from `name`."""
    with pytest.MonkeyPatch.context() as patch:
        chance = Random(name)
        patch.setattr(secrets, "_sysrand", chance)
        patch.setattr(os, "urandom", chance.randbytes)  # UUIDs
        random.seed(name)
        _names.append(name)
        try:
            yield
        finally:
            _names.pop()


def _count_child() -> None:
    _children[0] += 1


def _seed_child() -> None:
    """Let a forked process draw other values than its parent and siblings, and the same ones in every run."""
    if _names[-1]:
        chance = Random(f"{_names[-1]}, child {_children[0]}")
        vars(secrets)["_sysrand"], os.urandom = chance, chance.randbytes
        random.seed(chance.getrandbits(64))


os.register_at_fork(before=_count_child, after_in_child=_seed_child)
