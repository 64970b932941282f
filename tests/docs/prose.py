"""The English of the project: patterns that don't read as plain English, each with what to write instead.

    python -m tests.docs.prose [PATH ...]     print what is found, PATH:LINE: pattern, in all files or only these

The style is that of the Google developer documentation style guide. Checked are the pages of docs/ and the top folder
without their code blocks, and in Python files docstrings, comments, messages (strings with a space in them) and the
names of tests.
"""

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.docs.markdown import BLOCK, ROOT, pages

PATTERNS: dict[str, str] = {
    r"\b(is|are|was|were) none\b": "is missing, is invalid, or: there is no ...",
    r"\b(is|are|be) no (more|longer) than\b": "at most",
    r"\b(he|him|himself|his|she|her|hers)\b": "they, them, their; or repeat the noun",
    r"\b(W|w)ho(m?)ever\b": "anybody who, the caller, the player who",
    r"\b(for|of|by|to|from|with|than|but|is|not) who (?!(it|they|you|is to)\b)[a-z]+s\b": "the player who",
    r"(^|[.;:] )Who [a-z]+s\b[^?]*\.": "The player who ..., Somebody who ...",
    r"\A(What|Who)(?!'s| you)\b[^?]*\.": "name the thing: the text of, the costs of, a player who ...",
    r"\bwho asks\b": "the caller",
    r"\b[Hh]eard (when|now|here|of|in|out)\b|\b(is|are|be|not) heard\b|\bhears nothing\b": "accepted, allowed",
    r"\b[Ww]hat (is|was|are) [a-z]+ed (is|was|are|and|or|by|of|to|in|has)\b": "name the thing",
    r"\bso many\b": "that many, N",
    r"\b(to|can|could|cannot|can't) be had\b|\bcan be had\b": "available",
    r"\bfor ever\b": "forever",
    r"\banew\b": "again",
    r"\b[Bb]ut for (?!(a|an|one|two|three|the first|this) (second|minute|hour|moment))": "except for, except",
    r"\bseldom\b": "rarely",
    r"\bupon\b": "on",
    r"\b(where(of|in|by|upon)|there(of|in|upon)|here(of|in|with))\b": "split the sentence and name the thing",
    r"\b(though|be|if|whether|lest) it (be|leave|come|were)\b(?! (to|the|from))": "although it is",
    r"\blest\b": "so that ... not",
    r"\b(nought|aught|whence|whither|hitherto|heretofore|forthwith|wherefore)\b": "plain words",
    r"\bmay be told\b|\bis told (of|apart|by|to|that)\b|\bare told\b|\btells of\b": "says, shows, reports, gets",
    r"\bnobody's\b": "no one else's, or name the owner",
    r"\bis for [a-z]+ to (say|know|judge|decide)\b": "X decides, X verifies",
    r"\bit is (for|to) be [a-z]+ed\b": "active voice",
    r"\bgoes on (to|with)\b": "continues",
    r"\b[Ww]here (there is|there are|that is|it is|it does|he|they are|none|nothing|nobody)\b": "if",
    r"\bas (long|good|soon) a[s]? while\b": "for as long",
    r"\bof (its|their) own accord\b|\bby (itself|themselves) alone\b": "automatically, alone",
    r"\b(that|which) is (none|not one)\b": "that isn't valid",
    r"\bdoors?\b(?! ?bell)": "name the thing: interface, endpoint, module",
    r"\bthe house\b": "the server, the autoplayer",
    r"\bits like\b|\bthe like\b": "similar",
    r"\bor else\b": "otherwise",
    r"\b(utilize|leverage|in order to|prior to|via)\b": "use, to, before, through",
    r"\b(simply|obviously|of course|needless to say)\b": "leave it out",
    r"\b(cannot|can not)\b tell\b": "can't say, can't decide",
}
"""The words to look for, and the words to write instead."""

UNCHECKED = ("prose.py",)
"""Files full of bad examples."""

COMMENT = re.compile(r"(?:^|(?<=\s))#.*$", re.MULTILINE)
"""A comment, or a part of a string that looks like one: a tokenizer would take seconds longer."""
_COMPILED = [(re.compile(pattern), better) for pattern, better in PATTERNS.items()]


@dataclass(frozen=True)
class Finding:
    """A place to rewrite: the file, the line from 1, the words found and the advice."""

    path: str
    line: int
    words: str
    better: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.words!r}: {self.better}"


def search(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield (line offset from 0, words, advice) for each pattern in `text`."""
    for pattern, better in _COMPILED:
        for match in pattern.finditer(text):
            yield text.count("\n", 0, match.start()), match[0].strip(), better


def sentences_of_python(source: str) -> Iterator[tuple[int, str]]:
    """Yield (first line, text) of each docstring, comment, message and test name of a module."""
    for comment in COMMENT.finditer(source):
        yield 1 + source.count("\n", 0, comment.start()), comment[0]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value.strip():
            yield node.lineno, node.value
        elif isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield node.lineno, node.name.removeprefix("test_").replace("_", " ")


def sentences_of_page(text: str) -> Iterator[tuple[int, str]]:
    """Yield (1, text) of a page, its code blocks blanked so that lines keep their numbers."""
    yield 1, BLOCK.sub(lambda block: re.sub(r"[^\n]", "", block[0]), text)


def findings_in(path: Path) -> Iterator[Finding]:
    """Yield every finding in one file, a page or a Python module."""
    text, name = path.read_text(encoding="utf-8"), str(path.relative_to(ROOT))
    sentences = sentences_of_page(text) if path.suffix == ".md" else sentences_of_python(text)
    for first, sentence in sentences:
        for offset, words, better in search(sentence):
            yield Finding(name, first + offset, words, better)


def checked_files() -> Iterator[Path]:
    """Yield every page and every Python file of the project, except this table."""
    yield from (page for page in pages() if page.name != "CHANGELOG.md")
    for folder in ("domain", "projections", "replay", "api", "trickbook", "bench", "tests"):
        yield from (path for path in sorted((ROOT / folder).rglob("*.py")) if path.name not in UNCHECKED)


def main(names: Iterable[str]) -> int:
    """Print what is found in the files or folders named, or in all; 1 if there is anything."""
    wanted = [Path(name).resolve() for name in names]
    files = [path for path in checked_files() if not wanted or any(path.is_relative_to(each) for each in wanted)]
    findings = [finding for path in files for finding in findings_in(path)]
    for finding in findings:
        print(finding)
    print(f"{len(findings)} places in {len(files)} files")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
