"""The length of texts that people write to others."""

from marshmallow import ValidationError

from api.http.context import current_services


def require_length(field: str, text: str) -> None:
    """Raise ValidationError if a text is longer than the setting TRICKBOOK_TEXT_LENGTH allows."""
    longest = current_services().config.text_length
    if len(text) > longest:
        raise ValidationError({field: [f"A text may have {longest} characters, and this one has {len(text)}."]})
