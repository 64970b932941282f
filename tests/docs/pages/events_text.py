"""The sentences of docs/events.md between the parts that are generated from the code."""

INTRO = """\
# Facts

<!-- written by `make events` from domain/; changes here are lost -->

For people who read logs or exports by program: after this page you know each fact of a game, its fields, its author,
and which seats see it. A fact never changes its meaning; a new meaning gets a new version and an upcast ([decision
0003](decisions/0003-fact-versions.md)).

## The envelope

A fact is stored and travels as an *event*, in canonical JSON (RFC 8785): keys in order, no spaces, no fractions.
`version` counts the events of a game from 1 without gaps. `at` is UTC, and the same for all events of one commit. `by`
is an opaque player id, a bot's id or `server`; names are never stored. `command` groups the events of one request.
`salt` is 16 random bytes, so that nobody can guess an event from its hash. `seen_by` is null for everybody, or the
seats that see the event before its ceremony is revealed. A viewer gets an event whole, or only its version, leaf and
link. This is one, with a salt of zeros:

"""

FACT_LIST = """\
## The facts

In the order in which they can first happen. Unless a fact says otherwise, its version is 1, `server` is its author,
and everybody sees it. *Until the reveal* is until the seed of ceremony `n` is public; *its seat* means all seats but
that one if the rules' sight is `others`. Below each fact are its fields: a number unless a type follows, `?` if it can
be null, and `=` a default. These mean the same everywhere:

"""

PARTS_LIST = """\
## Parts

A card is its rank and then its suit letter: `2C`, `10D`, `AH`; jokers are `X1` and `X2`. Seats count from 0, hands
and tricks from 1.

"""

ALLOWED = """\
## When each command is allowed

In other phases, a command is refused with `wrong-phase`, and after the end with `game-over`. Commands without a seat
are the table's own.

"""

RULES_LIST = """\
## The rules as a value

`GameOpened`, `RulesChanged` and `RulesChangeDeferred` hold the rules whole ([decision
0004](decisions/0004-rules-are-values.md)). [Extending](extending.md) makes a variant from them.

`rules_v` is the version of these fields. Version 1 lacks `removed`, `kitty`, `throw`, `most_thrown`, `opening_lead`,
`miss`, `fixed_trump`, `joker_count`, `quirks`, and `moon` of the auction: it's read with every quirk, with
`opening_lead` `trump`, and with the defaults of the others ([decision 0006](decisions/0006-quirks.md)).

"""
