"""Changes of the line ends of an export, as programs and mails make them, and what the verifiers say of each."""

from collections.abc import Callable

LINE_ENDS: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "CRLF": (lambda data: data.replace(b"\n", b"\r\n"), "CR LF in place of LF"),
    "a BOM": (lambda data: b"\xef\xbb\xbf" + data, "a byte order mark at the beginning"),
    "a line more": (lambda data: data + b"\n", "an empty line at the end"),
    "a line end less": (lambda data: data[:-1], "no LF at the end"),
    "all of them": (
        lambda data: b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n") + b"\r\n",
        "a byte order mark at the beginning, CR LF in place of LF, an empty line at the end",
    ),
}
