"""The layout that a newcomer can rely on: small folders, a short top, and imports without a circle."""

import re
from collections import Counter
from graphlib import CycleError, TopologicalSorter

import grimp

from tests.layout.product import PACKAGES, ROOT, modules

MODULES_AT_MOST = 18
API_ENTRIES_AT_MOST = 15
TOP = {
    "CHANGELOG.md", "CONTRIBUTING.md", "Dockerfile", "LICENSE", "Makefile", "README.md", "docker-compose.yml",
    "mkdocs.yml", "pyproject.toml", "requirements.txt", "requirements-build.txt", "requirements-dev.txt",
    ".ci", ".dockerignore", ".gitignore", "api", "bench", "docs", "domain", "projections", "replay", "tests",
    "trickbook",
}  # fmt: skip
"""Everything that git may track at the top of the repository."""


def imports() -> dict[str, set[str]]:
    """Each module of the product with the modules it imports, imports inside functions included."""
    graph = grimp.build_graph(*PACKAGES, cache_dir=None)
    return {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}


def circle(graph: dict[str, set[str]]) -> list[str]:
    """The modules of one circle of imports, the first again at the end; [] if there are no circles."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert circle(imports()) == []


def test_no_folder_holds_more_than_18_modules_of_its_own() -> None:
    ours = [*modules(), *(ROOT / "tests").rglob("*.py"), *(ROOT / "bench").rglob("*.py")]
    ours += (ROOT / "api" / "static").rglob("*.js")
    own = Counter(path.parent.relative_to(ROOT) for path in ours if path.name != "__init__.py")
    assert {str(folder): count for folder, count in own.items() if count > MODULES_AT_MOST} == {}


def test_the_top_of_api_has_at_most_15_entries() -> None:
    entries = {path.relative_to(ROOT / "api").parts[0] for path in modules() if path.is_relative_to(ROOT / "api")}
    assert len(entries | {"static"}) <= API_ENTRIES_AT_MOST


def test_every_package_says_what_lives_in_it() -> None:
    packages = [path for path in modules() if path.name == "__init__.py"]
    assert [str(path) for path in packages if not path.read_text(encoding="utf-8").split('"""')[1].strip()] == []


def test_nothing_unexpected_lies_at_the_top() -> None:
    present = {path.name for path in ROOT.iterdir()}
    made = {".git", ".venv", "data", "build", "dist", "htmlcov", "node_modules"}
    unexpected = {name for name in present - TOP - made if not name.startswith((".", "__"))}
    assert {name for name in unexpected if not name.endswith(".egg-info")} == set()


def test_each_coroutine_of_a_test_runs_in_a_thread_of_its_own() -> None:
    tests = {path.relative_to(ROOT): path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py")}
    direct = re.compile(r"^ +.*\basyncio\.run\(", re.MULTILINE)  # unlike the programs that tests write
    assert [str(path) for path, text in tests.items() if direct.search(text)] == []
