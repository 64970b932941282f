"""How long a password is, and the refusal of those that are easy to guess, by zxcvbn."""

PASSWORD_MIN_LENGTH, PASSWORD_MAX_LENGTH = 8, 256
MIN_SCORE = 3
"""Of 0 to 4: the password withstands 10^8 guesses (zxcvbn)."""
MAX_JUDGED_LENGTH = 72
"""Characters; the time to judge a password grows with their square."""


class WeakPassword(Exception):
    """The password is easy to guess; the message says how to choose a better one."""


def check_password_strength(password: str, name: str) -> None:
    """Raise WeakPassword for a password that is easy to guess, for example because it repeats the user's name."""
    from zxcvbn import zxcvbn  # noqa: PLC0415 # its word lists take long to load

    judged = zxcvbn(password[:MAX_JUDGED_LENGTH], user_inputs=[name, "trickbook"])
    if judged["score"] < MIN_SCORE:
        feedback = judged["feedback"]
        advice = [text.rstrip(".") + "." for text in (feedback["warning"], *feedback["suggestions"]) if text]
        raise WeakPassword(" ".join(["This password is easy to guess.", *advice]))
