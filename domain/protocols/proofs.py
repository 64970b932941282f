"""Proofs that a log holds an event, and that a later log begins with an earlier one.

Proofs are built by RFC 6962, sections 2.1.1 and 2.1.2, and verified by RFC 9162, sections 2.1.3.2 and 2.1.4.2. A proof
is a list of hashes of 32 raw bytes, in the order of the RFCs. Indexes count from 0: event v has index v - 1.
"""

from collections.abc import Sequence

from domain.protocols.merkle_log import EMPTY_ROOT, node, root_of


def inclusion(leaves: Sequence[bytes], index: int, size: int) -> list[bytes]:
    """Return the audit path of leaf `index` among the first `size` leaves. Raise ValueError if it isn't one of them."""
    if not 0 <= index < size <= len(leaves):
        raise ValueError(f"there is no leaf {index} among the first {size} of {len(leaves)} leaves")
    return _path(index, leaves[:size])


def _path(index: int, leaves: Sequence[bytes]) -> list[bytes]:
    if len(leaves) == 1:
        return []
    k = _left_size(len(leaves))
    if index < k:
        return [*_path(index, leaves[:k]), root_of(leaves[k:])]
    return [*_path(index - k, leaves[k:]), root_of(leaves[:k])]


def verify_inclusion(leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes) -> bool:
    """Return whether `proof` shows that the log with `root` and `size` has `leaf` at `index` (RFC 9162, 2.1.3.2)."""
    if not 0 <= index < size or not _are_hashes(leaf, root, *proof):
        return False
    at, last, root_so_far = index, size - 1, leaf
    for each in proof:
        if not last:
            return False
        if at & 1 or at == last:
            root_so_far = node(each, root_so_far)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            root_so_far = node(root_so_far, each)
        at, last = at >> 1, last >> 1
    return last == 0 and root_so_far == root


def consistency(leaves: Sequence[bytes], first: int, second: int) -> list[bytes]:
    """Return the proof that the tree of `second` leaves begins with that of `first`: [] if `first` is 0 or `second`.

    Raise ValueError unless 0 <= `first` <= `second` <= the number of leaves.
    """
    if not 0 <= first <= second <= len(leaves):
        raise ValueError(f"there are no logs of {first} and {second} in {len(leaves)} leaves")
    return _subproof(first, leaves[:second], whole=True) if first else []


def _subproof(first: int, leaves: Sequence[bytes], *, whole: bool) -> list[bytes]:
    """SUBPROOF of RFC 6962, 2.1.2. `whole` means that the earlier tree is a full subtree, whose root is known."""
    if first == len(leaves):
        return [] if whole else [root_of(leaves)]
    k = _left_size(len(leaves))
    if first <= k:
        return [*_subproof(first, leaves[:k], whole=whole), root_of(leaves[k:])]
    return [*_subproof(first - k, leaves[k:], whole=False), root_of(leaves[:k])]


def verify_consistency(first: int, second: int, proof: Sequence[bytes], first_root: bytes, second_root: bytes) -> bool:
    """Return whether `proof` shows that the log of `second` leaves begins with the log of `first` (RFC 9162, 2.1.4.2).

    Every log begins with the empty log, whose root is SHA-256 of the empty string and whose proof is empty.
    """
    if not 0 <= first <= second or not _are_hashes(first_root, second_root, *proof):
        return False
    if first == second:
        return not proof and first_root == second_root
    if first == 0:
        return not proof and first_root == EMPTY_ROOT
    whole = first & (first - 1) == 0  # a power of two: the path begins with its root
    path = [first_root, *proof] if whole else list(proof)
    return bool(path) and _roots(first, second, path) == (first_root, second_root)


def _roots(first: int, second: int, path: Sequence[bytes]) -> tuple[bytes, bytes] | None:
    """Return the roots of both logs that `path` leads to, or None if it's too long or too short."""
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


def _left_size(size: int) -> int:
    """Return the size of the left subtree: the largest power of two smaller than `size`."""
    return 1 << (size - 1).bit_length() - 1


def _are_hashes(*values: bytes) -> bool:
    return all(len(value) == 32 for value in values)
