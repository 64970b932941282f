"""The sentences of docs/security.md above its tables."""

INTRO = """\
# Security

For hosts and reviewers: after this page you know what attackers have tried, what each caller may do, and what a
request may cost.

The server trusts nobody. A player, an arbiter or a stranger who sends anything at all gets a clear
[error](http.md#errors), changes no log, keeps nobody from playing, and sees no 5xx except 503 with `Retry-After`.
Somebody who controls the machine can see all cards and delete games; they can't change a game unnoticed
([trust](trust.md)).

Numbers stay. `tests/attacks/attacks.toml` has what else was tried, what it gets, and its tests. To run those of one, or
of all:

```sh
python -m pytest tests -k attack_33_
python -m pytest tests/attacks
```

"""
