"""The sentences of docs/events.md that stand between what is asked of the code."""

INTRO = """\
# Facts

<!-- written by `make events` from domain/; changes here are lost -->

A game is the list of its facts. This page is made from the code: each fact, its fields, whose it is and who sees it.
Their names and fields are the storage format and the format of exports: a fact keeps its meaning for ever, and one that
needs another meaning gets another version and an upcast ([decision 0004](decisions/0004-stable-fact-names.md)).

## The envelope

A fact is stored and travels as an *event*, in canonical JSON (RFC 8785): keys in order, no spaces, no fractions. `data`
holds the fields of the fact. `version` counts the events of a game from 1 without gaps. `at` is UTC, and the same for
all events of one commit. `by` is an opaque player id, a bot's id or `server`; names are never stored. `command` groups
what one request brought about. `salt` is 16 random bytes, so that nobody can guess an event from its hash. `seen_by` is
null for everybody, or the list of seats that see the event before its ceremony is revealed; `[]` is nobody. A viewer
gets an event whole, or only its version, leaf and link: never in part.

This is one, with zeros for its salt and for the seed of the deal:

"""

FACT_LIST = """\
## The facts

In the order in which a game may first bring them. `next`, where a fact has it, lists the seats that must move now; it
is empty where a later fact of the same commit says so, or ends the hand.

"""

PARTS_LIST = """\
## Parts

A card is its rank, then its suit letter: `2C`, `10D`, `AH`; suits are C, D, H, S; jokers are `X1` and `X2`. A seat is
a number from 0, a hand or a trick one from 1.

"""

ALLOWED = """\
## When each command is allowed

The server decides by this table. A command that isn't allowed in a phase is refused with `wrong-phase`. After the end
of the game, every command except those about disputes is refused with `game-over`. Commands without a seat are the
table's own.

"""

RULES_LIST = """\
## The rules as a value

`GameOpened` holds the rules whole, so that a later change of a variant touches no game that has begun
([decision 0003](decisions/0003-rules-are-values.md)); so do `RulesChanged` and `RulesChangeDeferred`. A field that is a
choice holds one of the words below it. How a variant is put together from them is shown in
[adding a variant](adding-a-variant.md).

"""
