"""A dictionary for compressed facts, trained on the stored games of one format.

`python -m tests.generators.dictionary 2 v6` writes version 2 from tests/stored/v6, and prints its SHA-256 for
`DICTIONARIES`. The same games and the same release of zstandard give the same bytes. Never change a version that a
release had: nobody could read its rows any more.
"""

import re
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from random import Random

from zstandard import train_dictionary

from domain.store.compression import without_ids
from replay.history import read_export

ROOT = Path(__file__).parents[2]
SIZE, PIECES = 32_768, {"k": 1000, "d": 8}
"""The size in bytes, and the parameters of the choice: a larger dictionary and shorter pieces compress less well."""
PLAYER = re.compile(rb'"p[0-9]"')
TIME = re.compile(rb'(?<=T)[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}(?=Z")')


def samples(folder: Path) -> Iterator[bytes]:
    """Yield the compressible part of each event in the exports of a folder.

    Players and times are simpler there than those of a server, so they are others here, chosen by the export's name.
    """
    for path in sorted(folder.glob("*.ndjson")):
        chance, players = Random(path.name), dict[bytes, bytes]()
        raws = [line.raw for line in read_export(path.read_bytes()).lines if line.raw is not None]
        for _, text in filter(None, map(without_ids, raws)):
            yield _as_served(text, chance, players)


def _as_served(text: bytes, chance: Random, players: dict[bytes, bytes]) -> bytes:
    def player(found: re.Match[bytes]) -> bytes:
        return players.setdefault(found[0], b'"p_%024x"' % chance.getrandbits(96))

    def time(_: re.Match[bytes]) -> bytes:
        return b"%02d:%02d:%02d.%06d" % tuple(map(chance.randrange, (24, 60, 60, 10**6)))

    return TIME.sub(time, PLAYER.sub(player, text))


def train(folder: Path) -> bytes:
    """Return the dictionary of the exports in a folder."""
    return train_dictionary(SIZE, [*samples(folder)], **PIECES).as_bytes()


if __name__ == "__main__":
    version, stored = sys.argv[1:]
    content = train(ROOT / "tests" / "stored" / stored)
    with (ROOT / "domain" / "store" / "compression" / f"{version}.dictionary").open("xb") as file:
        file.write(content)
    sys.stdout.write(f"{sha256(content).hexdigest()}\n")
