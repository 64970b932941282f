"""Blocks hold both ways, until the player who blocked lifts them."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from api.accounts.accounts import open_accounts
from api.accounts.conduct.blocks import Blocks
from api.config import Config


@pytest.fixture
def blocks(config: Config) -> Iterator[Blocks]:
    """Return the blocks of an empty store."""
    with closing(open_accounts(config)) as accounts:
        yield accounts.blocks


def test_a_block_holds_both_ways(blocks: Blocks) -> None:
    blocks.add("p_1", "p_2")
    blocks.add("p_1", "p_2")
    assert blocks.between("p_1", "p_2")
    assert blocks.between("p_2", "p_1")
    assert not blocks.between("p_1", "p_3")
    assert (blocks.of("p_1"), blocks.of("p_2")) == (["p_2"], [])


def test_each_player_lifts_only_their_own_block(blocks: Blocks) -> None:
    blocks.add("p_1", "p_2")
    blocks.add("p_2", "p_1")
    blocks.remove("p_1", "p_2")
    assert blocks.between("p_1", "p_2")
    blocks.remove("p_2", "p_1")
    assert not blocks.between("p_1", "p_2")
