"""Proofs over a log's leaf hashes: that an event stands in it, and that a later log begins with an earlier one.

Made as RFC 6962 sections 2.1.1 and 2.1.2 define them, checked as RFC 9162 sections 2.1.3.2 and 2.1.4.2 do it. Hashes
are 32 raw bytes; a proof is a list of them, as the RFCs order it. An index counts from 0: event v has index v - 1.
"""

from collections.abc import Sequence

from domain.protocols.merkle_log import EMPTY_ROOT, node, root_of


def inclusion(leaves: Sequence[bytes], index: int, size: int) -> list[bytes]:
    """The audit path of leaf `index` in the tree of the first `size` leaves; ValueError where there is no such leaf."""
    if not 0 <= index < size <= len(leaves):
        raise ValueError(f"there is no leaf {index} in a tree of {size} of {len(leaves)} leaves")
    return _path(index, leaves[:size])


def _path(index: int, leaves: Sequence[bytes]) -> list[bytes]:
    if len(leaves) == 1:
        return []
    k = _left(len(leaves))
    if index < k:
        return [*_path(index, leaves[:k]), root_of(leaves[k:])]
    return [*_path(index - k, leaves[k:]), root_of(leaves[:k])]


def verify_inclusion(leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes) -> bool:
    """Whether `proof` shows that the log of `size` leaves with `root` has `leaf` at `index` (RFC 9162, 2.1.3.2)."""
    if not 0 <= index < size or not _hashes(leaf, root, *proof):
        return False
    at, last, made = index, size - 1, leaf
    for each in proof:
        if not last:
            return False
        if at & 1 or at == last:
            made = node(each, made)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            made = node(made, each)
        at, last = at >> 1, last >> 1
    return last == 0 and made == root


def consistency(leaves: Sequence[bytes], first: int, second: int) -> list[bytes]:
    """The proof that the tree of `second` leaves begins with that of `first`; of none, and of all, it is empty."""
    if not 0 <= first <= second <= len(leaves):
        raise ValueError(f"there are no logs of {first} and {second} in {len(leaves)} leaves")
    return _subproof(first, leaves[:second], whole=True) if first else []


def _subproof(first: int, leaves: Sequence[bytes], *, whole: bool) -> list[bytes]:
    """SUBPROOF of RFC 6962, 2.1.2; `whole` while the earlier tree is a subtree of its own, whose root is known."""
    if first == len(leaves):
        return [] if whole else [root_of(leaves)]
    k = _left(len(leaves))
    if first <= k:
        return [*_subproof(first, leaves[:k], whole=whole), root_of(leaves[k:])]
    return [*_subproof(first - k, leaves[k:], whole=False), root_of(leaves[:k])]


def verify_consistency(first: int, second: int, proof: Sequence[bytes], first_root: bytes, second_root: bytes) -> bool:
    """Whether `proof` shows that the log of `second` leaves begins with the log of `first` (RFC 9162, 2.1.4.2).

    The empty log, whose root is SHA-256 of nothing, is the beginning of every log: its proof is empty.
    """
    if not 0 <= first <= second or not _hashes(first_root, second_root, *proof):
        return False
    if first == second:
        return not proof and first_root == second_root
    if first == 0:
        return not proof and first_root == EMPTY_ROOT
    whole = first & (first - 1) == 0  # a power of two: its root is where the path begins
    path = [first_root, *proof] if whole else list(proof)
    return bool(path) and _both(first, second, path) == (first_root, second_root)


def _both(first: int, second: int, path: Sequence[bytes]) -> tuple[bytes, bytes] | None:
    """The roots of both logs that `path` leads to; None where it is too long or too short."""
    at, last = first - 1, second - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    earlier = later = path[0]
    for each in path[1:]:
        if not last:
            return None
        if at & 1 or at == last:
            earlier, later = node(each, earlier), node(each, later)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            later = node(later, each)
        at, last = at >> 1, last >> 1
    return None if last else (earlier, later)


def _left(size: int) -> int:
    """The largest power of two smaller than `size`: how many leaves stand in the left subtree."""
    return 1 << (size - 1).bit_length() - 1


def _hashes(*each: bytes) -> bool:
    return all(len(one) == 32 for one in each)
