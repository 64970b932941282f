"""The server itself: links, health, problems; and answers to command lines."""

from api.description.answers.fields import (
    TIME,
    AnswerSchema,
    by_key,
    choice,
    flag,
    of_schema,
    several,
    string,
    whole_number,
)


class LinksSchema(AnswerSchema):
    """Addresses to start from."""

    name = string()
    variants = string()
    games = string()
    ready = string()
    verify = string()
    description = string("The address of this description.")
    docs = string("The address of a page that shows it.")
    documentation = several(string())


class LiveSchema(AnswerSchema):
    """The process answers requests."""

    status = choice("live")


class ReadySchema(AnswerSchema):
    """Every part responds."""

    status = choice("ready")
    checks = by_key(string())
    lag = by_key(whole_number(), "How many events each list is behind the log.")
    lists = by_key(string(), "ok, or why a list isn't updated.")
    quarantined = whole_number("How many games the lists leave out.")


class ProblemSchema(AnswerSchema):
    """An error (RFC 9457). `type` is stable, `detail` is a sentence for people."""

    type = string("The address of a page about this type of problem.", pattern="^/problems/[a-z0-9-]+$")
    title = string()
    status = whole_number()
    detail = string(required=False)
    errors = of_schema({"type": "object"}, "A message for each invalid field.", required=False)
    legal = of_schema(
        {"type": "array", "items": {"$ref": "#/components/schemas/Move"}},
        "The moves that the seat can make.",
        required=False,
    )
    choose = of_schema({"$ref": "#/components/schemas/Choice"}, "What the seat has to choose.", required=False)
    clauses = several(string(), "The clauses of the rule sheet that the refusal rests on.", required=False)
    version = whole_number("The present version of the game.", required=False)
    until = string("When a mute or a suspension ends; null if it doesn't.", null=True, required=False, **TIME)
    game = string("The game whose log was changed.", required=False)


ANY_OBJECT = {"anyOf": [{"type": "object"}, {"type": "null"}]}


class CommandAnswerSchema(AnswerSchema):
    """The answer to a command line."""

    command = string("The command as the table of commands names it; empty for a line that isn't one.")
    ok = flag("Whether the command was carried out.")
    text = string("The answer for people, in lines of at most 78 columns.")
    board = whole_number("The number of the board.", null=True)
    version = whole_number("The version of the game that the answer shows.", null=True)
    notices = several(string(), "What happened to queued moves of the caller.")
    data = of_schema(ANY_OBJECT, "What the route behind the command answers, such as a view; null for text alone.")
    problem = of_schema(ANY_OBJECT, "Why the command was refused, as the route behind it says; null if it wasn't.")
