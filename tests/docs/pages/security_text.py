"""The sentences of docs/security.md above its tables."""

INTRO = """\
# Security

The attacks that this server is tested against, with what happens. Almost all are tried by HTTP and the command line.
The last column names the command that runs a test: `make test`, which runs for each change, or `make everything`,
which runs the slow tests, too. Numbers stay the same from release to release.

**If you host games**, read the [settings](operations.md) that bound what one player or address can do, and put a proxy
with TLS in front of the server. The server trusts nobody: a player, an arbiter or a stranger who sends anything at all
gets a clear error, changes no log, and doesn't keep others from playing. It doesn't protect you from somebody who
controls the machine itself. They can see all cards, and can delete games. They can't change a game unnoticed.

**If you audit games**, [trust](trust.md) says what the log promises, and [receipts](receipts.md) what to keep. The
parts on dealing, leaks and the store are about the same promises, as seen by an attacker.

**If you look for a right**, the tables of [rights](#rights) have the answer of each route to each kind of caller.

Codes such as `not-in-hand` are [types of problems](http.md#errors). If nothing else is said, the log of the game stays
as it was, and no answer is a 5xx except 503 with `Retry-After`. To run the tests of one attack, or of all:

```sh
python -m pytest tests -k attack_33
python -m pytest tests/attacks
```

"""
