"""The sentences of docs/events.md between the parts that are generated from the code."""

INTRO = """\
# Facts

<!-- written by `make events` from domain/; changes here are lost -->

For people who read logs or exports by program: after this page you know each fact of a game, its fields, its author,
and which seats see it. The names and fields are the storage format and the format of exports. A fact never changes
its meaning; a new meaning gets a new version and an upcast ([decision 0003](decisions/0003-fact-versions.md)).

## The envelope

A fact is stored and travels as an *event*, in canonical JSON (RFC 8785): keys in order, no spaces, no fractions.
`data` holds the fields of the fact. `version` counts the events of a game from 1 without gaps. `at` is UTC, and the
same for all events of one commit. `by` is an opaque player id, a bot's id or `server`; names are never stored.
`command` groups the events of one request. `salt` is 16 random bytes, so that nobody can guess an event from its
hash. `seen_by` is null for everybody, or the list of seats that see the event before its ceremony is revealed; `[]`
is nobody. A viewer gets an event whole, or only its version, leaf and link: never in part.

This is one, with zeros for its salt and for the seed of the deal:

"""

FACT_LIST = """\
## The facts

In the order in which they can first happen. Unless a fact says otherwise, its version is 1, `server` is its author,
and everybody sees it. *Until the reveal* is until the seed of ceremony `n` is public. Below each fact are its fields:
a number unless a type follows, `?` if it can be null, and `=` a default. These mean the same everywhere:

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

`GameOpened`, `RulesChanged` and `RulesChangeDeferred` hold the rules whole, so a later change of a variant doesn't
change a game that has begun ([decision 0004](decisions/0004-rules-are-values.md)). [Adding a
variant](extending.md) shows how to make a variant from them.

`rules_v` is the version of these fields. Version 2 gained `removed`, `kitty`, `throw`, `most_thrown`, `opening_lead`,
`miss`, `fixed_trump`, `joker_count`, `quirks`, and `moon` of the auction. Rules of version 1 are read with every
quirk, with `opening_lead` `trump`, and with the defaults of the other new fields ([decision
0006](decisions/0006-quirks.md)).

"""
