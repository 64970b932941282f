"""Answers to command lines."""

from api.http.openapi.answers.fields import AnswerSchema, flag, of_schema, several, string, whole_number

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
