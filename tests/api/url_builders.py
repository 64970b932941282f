"""Werkzeug compiles two functions for each route; the thousands of apps that tests make share those of the first."""

from collections.abc import Callable

from werkzeug.routing import Rule

Builder = Callable[..., tuple[str, str]]
Trace = tuple[tuple[bool, str], ...]
compile_builder = Rule._compile_builder


def share_url_builders() -> None:
    """Let rules of the same path use the same functions. They hold no state: each gets its rule as an argument."""
    made: dict[tuple[str, Trace, bool], Builder] = {}

    def shared(self: Rule, append_unknown: bool = True) -> Builder:
        if self.defaults:
            return compile_builder(self, append_unknown)
        key = self.rule, tuple(self._trace), append_unknown
        if key not in made:
            made[key] = compile_builder(self, append_unknown)
        return made[key]

    Rule._compile_builder = shared  # type: ignore[method-assign]
