"""Ceremonies (commit, key with four cuts, shuffle of 52) a second on one core: `python -m bench.rules.fairdeal`."""

from time import perf_counter

from domain.protocols.fairdeal import commit, key, shuffle

CEREMONIES = 2_000
_CUTS = [(str(seat), bytes([seat]) * 32) for seat in range(4)]


def ceremony(n: int) -> list[int]:
    """Compute everything that the server computes for one deal of ceremony `n`."""
    seed = n.to_bytes(32, "big")
    commit("bench", n, "deal hand 1", seed)
    return shuffle(key("bench", n, "deal hand 1", seed, _CUTS), "deck", 52)


def rate(ceremonies: int) -> float:
    """Return the rate for that many different ceremonies, a second."""
    start = perf_counter()
    for n in range(ceremonies):
        ceremony(n)
    return ceremonies / (perf_counter() - start)


def main() -> None:
    """Print the best of five rates."""
    best = max(rate(CEREMONIES) for _ in range(5))
    print(f"{best:.0f} ceremonies/s, {1e6 / best:.1f} us each")


if __name__ == "__main__":
    main()
