"""The server itself: links, health, problems, this description, and its pages."""

from collections.abc import Mapping

from api.description.answers import server
from api.description.model import TEXT_SCHEMA, Content, DescribedAnswer, Operation, json_answer
from api.web.responses import JSON, TEXT

UNCHANGED = DescribedAnswer(304, "The file hasn't changed.", headers=("File-ETag",))
TEXTS = tuple(Content(media, TEXT_SCHEMA) for media in ("text/css", "text/javascript", "image/png"))
FILE = DescribedAnswer(200, "The file.", (*TEXTS, Content(JSON, {})), ("File-ETag",))
PAGE = DescribedAnswer(200, "The page.", (Content("text/html", TEXT_SCHEMA),), ("File-ETag",))
DOCUMENT = DescribedAnswer(200, "An OpenAPI document.", (Content(JSON, {"type": "object"}),), ("File-ETag",))
ASKS = ("If-None-Match",)

LINKS = DescribedAnswer(
    200, "Links, or the page.", (Content(JSON, server.LinksSchema), Content("text/html", TEXT_SCHEMA))
)

OPERATIONS: Mapping[str, Operation] = {
    "root.links": Operation(
        "the lobby for a browser, links to start from for a program",
        (LINKS, UNCHANGED),
        token="none",
        asks=ASKS,
    ),
    "verify_page.page": Operation(
        "a page that checks an export in the browser", (PAGE, UNCHANGED), token="none", asks=ASKS
    ),
    "verify_page.static": Operation(
        "the files of its program", (FILE, UNCHANGED), token="none", problems=("not-found",), asks=ASKS
    ),
    "description.newest": Operation("this interface as OpenAPI 3.2", (DOCUMENT, UNCHANGED), token="none", asks=ASKS),
    "description.for_generators": Operation(
        "the same as OpenAPI 3.1, for generators of clients", (DOCUMENT, UNCHANGED), token="none", asks=ASKS
    ),
    "description.page": Operation("a page that shows this interface", (PAGE, UNCHANGED), token="none", asks=ASKS),
    "description.asset": Operation("its files", (FILE, UNCHANGED), token="none", problems=("not-found",), asks=ASKS),
    "health.live": Operation("whether the process lives", (json_answer(server.LiveSchema),), token="none"),
    "health.ready": Operation("whether it can serve", (json_answer(server.ReadySchema),), token="none"),
    "metrics.scrape": Operation(
        "metrics for Prometheus, for the operator",
        (DescribedAnswer(200, "As text.", (Content(TEXT, TEXT_SCHEMA),)),),
        token="none",
        problems=("unauthorized", "forbidden"),
    ),
    "problems.problem_page": Operation(
        "the meaning of a type of problem",
        (DescribedAnswer(200, "As text.", (Content(TEXT, TEXT_SCHEMA),)),),
        token="none",
        problems=("not-found",),
    ),
}
