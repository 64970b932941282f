"""The types of answers for the scripts. That the scripts fit them is what `make types` checks."""

from typing import Any

from tests.generators.answer_types import answer_types


def answers(component: str) -> dict[str, Any]:
    """Return the responses of a route that answers with a component."""
    ref = {"$ref": f"#/components/schemas/{component}"}
    return {"responses": {"200": {"content": {"application/json": {"schema": ref}}}, "404": {"description": "No."}}}


GAME = {
    "type": "object",
    "description": "A game.",
    "properties": {
        "board": {"type": "integer", "description": "Its number."},
        "kind": {"const": "pitch"},
        "seats": {"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "null"}]}},
        "names": {"type": "object", "additionalProperties": {"type": "string"}},
    },
    "required": ["board", "kind"],
}
DOCUMENT = {
    "components": {"schemas": {"Game": GAME, "Suit": {"enum": ["C", "D"]}}},
    "paths": {
        "/": {"get": answers("Page")},
        "/api/v1/games/{game}": {"get": answers("Game"), "delete": {"responses": {"204": {}}}},
        "/api/v1/games": {"post": answers("Game") | {"requestBody": answers("Suit")["responses"]["200"]}},
        "/api/v1/games/{game}/seats/{seat}": {"get": answers("Suit")},
        "/session": {"get": answers("Game")},
    },
}


def test_a_component_is_an_interface_with_its_sentences() -> None:
    assert """
  /** A game. */
  interface Game {
    /** Its number. */
    board: number;
    kind: "pitch";
    seats?: (string | null)[];
    names?: Record<string, string>;
  }

  type Suit = "C" | "D";
}
""" in answer_types(DOCUMENT)


def test_a_path_leads_to_the_body_sent_and_to_the_answer_the_longest_first() -> None:
    found = [line.strip() for line in answer_types(DOCUMENT).splitlines() if " ? " in line and "`/" in line]
    assert found == [
        "Path extends `/games/${string}/seats/${string}${Query}` ? [undefined, Suit] :",
        "Path extends `/games/${string}${Query}` ? [undefined, Game] :",
        "Path extends `/session${Query}` ? [undefined, Game] :",
        "Path extends `/${string}` ? never : any;",
        "Path extends `/games${Query}` ? [Suit, Game] :",
        "Path extends `/${string}` ? never : any;",
        "Path extends `/${string}` ? never : any;",
        "Path extends `/games/${string}${Query}` ? [undefined, null] :",
        "Path extends `/${string}` ? never : any;",
    ]
