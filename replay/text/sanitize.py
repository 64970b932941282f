"""Text of a file that anybody may have written, made fit for a terminal."""


def sanitize(text: str) -> str:
    """`text` with everything a terminal could take for a command, or not show, put as �."""
    return "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in text)
