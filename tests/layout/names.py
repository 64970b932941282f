"""Names a newcomer can search for: no bare participle, and no public class name with two meanings.

python -m tests.layout.names [PATH ...]      print what is found, in all of the product or only below these paths
"""

import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from tests.layout.product import ROOT, modules, public_definitions, words

IRREGULAR, VERBS, VAGUE, EXEMPT = words("irregular"), words("verb"), words("vague"), words("exempt")


def is_bare(name: str) -> bool:
    """Whether a name is one word, and that word a participle or an adverb, pronoun or adjective (words.txt)."""
    word = name.lower()
    if word in EXEMPT or "_" in name.strip("_") or re.search(r"[a-z][A-Z]", name):
        return False
    participle = word in IRREGULAR or (word.endswith("ed") and len(word) > 3)
    return (participle and word not in VERBS) or word in VAGUE


def bare_names(path: Path, source: str) -> Iterator[str]:
    """Yield a sentence for each module, public class or public function whose name is bare."""
    if is_bare(path.stem):
        yield f"{path}: the module's name says nothing by itself: name what it holds"
    for kind, name, line in public_definitions(source):
        if is_bare(name):
            yield f"{path}:{line}: {kind} {name}: use a noun or verb that a newcomer would search for"


def ambiguous_classes(sources: Iterable[tuple[Path, str]]) -> Iterator[str]:
    """Yield a sentence for each public class name that two modules define."""
    places: dict[str, list[str]] = defaultdict(list)
    for path, source in sources:
        for kind, name, line in public_definitions(source):
            if kind == "class":
                places[name].append(f"{path}:{line}")
    for name, found in sorted(places.items()):
        if len(found) > 1:
            yield f"class {name} has {len(found)} meanings: {', '.join(found)}"


def findings(paths: Iterable[Path]) -> list[str]:
    """Every sentence about these modules."""
    sources = [(path.relative_to(ROOT), path.read_text(encoding="utf-8")) for path in paths]
    return [
        *(sentence for path, source in sources for sentence in bare_names(path, source)),
        *ambiguous_classes(sources),
    ]


def main(names: Iterable[str]) -> int:
    """Print the findings below the paths given, or all; 1 if there are any."""
    below = [Path(name).resolve() for name in names]
    sentences = findings(path for path in modules() if not below or any(path.is_relative_to(each) for each in below))
    print("\n".join([*sentences, f"{len(sentences)} names to change"]))
    return 1 if sentences else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
