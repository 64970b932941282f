"""The problems that several endpoints share, by what they do."""

ANY = ("malformed", "token-in-url", "request-timeout", "length-required", "too-large", "uri-too-long")
"""Problems of any request, whatever its route is."""
ANY_FAILURE = ("headers-too-large", "internal", "store-down", "busy", "not-ready")
API = ("unauthorized", "token-scope", "user-disabled", "too-many-requests")
"""Problems of a request to a route below /api/v1: its token is checked everywhere."""
STANDING = ("banned",)
"""Problems of a read because of a moderator's step; one's own account is left out."""
STANDING_OF_WRITES = ("suspended", "banned")
WRITES = ("cross-site",)
"""Problems of a request that changes something, with a cookie on a page of another site."""
BODY = ("unsupported-media-type",)
SAME_EVERYWHERE = frozenset((*ANY, *ANY_FAILURE, *API, *STANDING_OF_WRITES, *WRITES, *BODY))
"""Problems that aren't about one route: tests of one route stand for all."""
GAME = ("not-found", "corrupt-log")
NEGOTIATED = ("not-acceptable",)
READING = (*GAME, *NEGOTIATED)
WAIT = ("behind", "other-history")
PASSWORD = ("bad-login", "not-for-guests")

BIDS = ("not-a-bid", "bid-too-low", "bid-too-high", "hooked", "must-bid")
CARDS = ("not-in-hand", "must-follow", "not-a-trump", "must-play-called", "cannot-discard", "no-call")
DELAY = ("too-soon", "delay-open", "no-delay")
RULES = ("not-host", "no-change")
CUTS = ("no-cut", "not-a-cut", "wrong-commitment", "already-cut", "not-as-sealed", "no-beacon", "wrong-beacon")
PROPOSALS = ("nothing-to-undo", "no-proposal", "proposal-open", "no-draw")
CLOCKS = ("no-claim",)
HANDOVERS = ("handover-open", "no-handover", "deal-pending", "seated-before")
RARE = ("conflict", "not-due", "rejected")
TURNS = ("out-of-turn", "wrong-phase", "game-over", "seat-left")
REFUSED_MOVES = (*TURNS, *BIDS, *CARDS, *DELAY, *RULES, *CUTS, *PROPOSALS, *HANDOVERS, *CLOCKS, *RARE, "too-many")
COMMAND = ("not-seated", "stale-version", "key-reused", "race-lost")
"""Problems of a command to a game beside the refusals of the rules."""
OPENING = (
    "not-offered",
    "wrong-number-of-players",
    "same-player-twice",
    "no-person",
    "no-such-player",
    "too-many",
)
REMATCHES = ("key-reused", "game-running", "other-settings", "not-seated", "seat-taken", "table-closed")
SEATS = ("seat-taken", "seats-empty", "table-closed", "stale-version")
DISPUTES = (
    "not-a-dispute",
    "already-disputed",
    "not-a-ruling",
    "already-ruled",
    "wrong-evidence",
    "hand-in-play",
    "nothing-to-void",
    "not-ruled",
    "already-appealed",
    "no-appeal",
    "same-arbiter",
    "no-such-dispute",
    "arbiter-seated",
    "game-over",
    "seat-left",
    "too-many",
    *RARE,
)
