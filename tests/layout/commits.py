"""Commit subjects since the rule began: imperative, a capital first, at most 72 characters, no period at the end.

python -m tests.layout.commits
"""

import re
import subprocess
import sys
from collections.abc import Iterator

from tests.layout.product import ROOT, words

SINCE = "797697e751d4"
"""The last commit before the rule; what came earlier stays as it is."""
AT_MOST = 72
IMPERATIVE, DESCRIPTION = words("imperative"), words("description")


def fault(subject: str) -> str | None:
    """The fault of a commit's subject, or None."""
    word = subject.split(" ", 1)[0]
    if len(subject) > AT_MOST:
        return f"{len(subject)} characters, at most {AT_MOST} are allowed: move the reason into the body"
    if subject.endswith("."):
        return "it ends with a period"
    if not re.fullmatch(r"[A-Z][a-z-]+[:,]?", word):
        return "it doesn't begin with a verb in the imperative and a capital, like 'Rename'"
    if word.lower() not in IMPERATIVE and (word.lower() in DESCRIPTION or re.search(r"(ed|ing|s)$", word)):
        return f"{word!r} isn't imperative: write what the commit does, like 'Rename' or 'Fix'"
    return None


def subjects() -> Iterator[tuple[str, str]]:
    """Yield (short id, subject) of each commit after SINCE, merges left out; all there are in a shallow clone."""
    known = subprocess.run(["git", "cat-file", "-e", SINCE], cwd=ROOT, capture_output=True, check=False).returncode == 0
    commits = f"{SINCE}..HEAD" if known else "HEAD"
    listed = ["git", "log", "--no-merges", "--format=%h %s", commits]
    for line in subprocess.run(listed, cwd=ROOT, capture_output=True, check=True, text=True).stdout.splitlines():
        short, _, subject = line.partition(" ")
        yield short, subject


def main() -> int:
    """Print each commit whose subject is at fault; 1 if there is one."""
    faults = [(short, subject, fault(subject)) for short, subject in subjects()]
    wrong = [f"{short} {subject!r}: {why}" for short, subject, why in faults if why is not None]
    print("\n".join([*wrong, f"{len(wrong)} of {len(faults)} commit subjects to change"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
