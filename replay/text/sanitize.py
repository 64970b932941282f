"""Makes untrusted text safe to print on a terminal."""


def sanitize(text: str) -> str:
    """Return `text` with each unprintable character, such as a control code, replaced by �."""
    return "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in text)
