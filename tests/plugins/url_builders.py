"""Werkzeug parses and compiles each route; the thousands of apps that tests make share what the first one made."""

from typing import Any

from werkzeug.routing import Rule

MADE = ("_parts", "_trace", "_converters", "arguments", "_build", "_build_unknown")
"""The functions that `compile` makes of a rule. Only converters know the map; those of the server ask it nothing."""
compile_rule = Rule.compile


def share_url_builders() -> None:
    """Let rules of the same path share what was made. The builders hold no state: each gets its rule as an argument."""
    made: dict[tuple[str, bool | None], dict[str, Any]] = {}

    def compile_once(self: Rule) -> None:
        if self.defaults or self.subdomain or self.host:
            return compile_rule(self)
        key = self.rule, self.merge_slashes
        if key not in made:
            compile_rule(self)
            made[key] = {name: getattr(self, name) for name in MADE}
            return None
        for name, value in made[key].items():
            setattr(self, name, value.__func__.__get__(self, None) if name.startswith("_build") else value)
        return None

    Rule.compile = compile_once  # type: ignore[method-assign]
