"""Blocks, chat, reports and moderation."""

from marshmallow import fields

from api.conduct.stored.chat_messages import CHANNELS, CHAT_SETTINGS
from api.conduct.stored.conduct_reports import REPORT_KINDS
from api.conduct.stored.conduct_steps import REVERSED, STEP_KINDS, UPHELD
from api.description.answers.fields import (
    TIME,
    AnswerSchema,
    choice,
    flag,
    name_map,
    of_schema,
    part,
    several,
    string,
    whole_number,
)


class BlockedPlayerSchema(AnswerSchema):
    """A player whom the caller has blocked."""

    name = string()
    since = string(**TIME)


class BlockListSchema(AnswerSchema):
    """The players whom the caller has blocked."""

    items = several(BlockedPlayerSchema)


class ChatMessageSchema(AnswerSchema):
    """A message."""

    id = string()
    at = string(**TIME)
    by = string("The author's id.")
    to = choice(*CHANNELS)
    event = whole_number("The version of the event that it comments on.", null=True)
    text = string(null=True)
    erased = flag()


class ChatSchema(AnswerSchema):
    """The messages of a game that the caller may read, the oldest first."""

    chat = choice(*CHAT_SETTINGS)
    open = flag("Whether the caller's part of the chat is open now.")
    items = several(ChatMessageSchema)
    more = flag()
    names = name_map()


class PrivateMessageSchema(AnswerSchema):
    """A message between players, or one to everybody."""

    id = string()
    at = string(**TIME)
    by = string("The author's id.")
    to = several(fields.String(), "The ids of those it was written to; null if it's to everybody.", null=True)
    text = string()


class PrivateMessagesSchema(AnswerSchema):
    """The messages that the caller wrote or got, and those to everybody, the oldest first."""

    items = several(PrivateMessageSchema)
    more = flag()
    names = name_map()


class SentMessageSchema(PrivateMessageSchema):
    """A message that the caller has written."""

    names = name_map()


class SentReportSchema(AnswerSchema):
    """The id of a report."""

    report = string()


class ReportHeadSchema(AnswerSchema):
    """A report of a player's conduct."""

    report = string()
    at = string(**TIME)
    about = string("The player's id.")
    kind = choice(*REPORT_KINDS)
    game = string(null=True)
    message = string(null=True)
    status = string()


class OwnReportSchema(ReportHeadSchema):
    """A report of the caller, and what became of it."""

    text = string(null=True)
    step = choice(*STEP_KINDS, null=True)
    appeal = choice(UPHELD, REVERSED, null=True)
    ruled = string(null=True, **TIME)


class OwnReportsSchema(AnswerSchema):
    """The caller's reports, the newest first."""

    items = several(OwnReportSchema)
    names = name_map()


class ConductReportSchema(ReportHeadSchema):
    """A report as a moderator gets it."""

    reporter = string("The player's id.")
    text = string(null=True)
    quoted = string("The message that it's about.", null=True)
    claimed_by = string(null=True)


class ClaimedReportSchema(ConductReportSchema):
    """A report that the caller judges."""

    names = name_map()


class ConductReportsSchema(AnswerSchema):
    """The reports that the caller may judge, the oldest first."""

    items = several(ConductReportSchema)
    more = flag()
    names = name_map()


class StepAppealSchema(AnswerSchema):
    """An appeal against a step."""

    at = string(**TIME)
    text = string(null=True)
    decision = choice(UPHELD, REVERSED, null=True)
    decided = string(null=True, **TIME)
    reason = string(null=True)
    salt = string(null=True)


class ConductStepSchema(AnswerSchema):
    """A moderator's step."""

    step = string()
    kind = choice(*STEP_KINDS)
    since = string(**TIME)
    until = string(null=True, **TIME)
    reason = string(null=True)
    salt = string(null=True)
    appeal = part(StepAppealSchema, null=True)


class OwnStandingSchema(AnswerSchema):
    """What the caller may do now, and all steps against them."""

    standing = string()
    until = string(null=True, **TIME)
    steps = several(ConductStepSchema)


class RuledReportSchema(AnswerSchema):
    """A report and the step that was taken; null if none was."""

    report = string()
    step = string(null=True)


class AppealedStepSchema(AnswerSchema):
    """A step that the caller appeals against."""

    step = string()


class DecidedStepSchema(AnswerSchema):
    """A step and the decision on the appeal."""

    step = string()
    decision = choice(UPHELD, REVERSED)


class StepCaseSchema(ConductStepSchema):
    """An appeal that the caller may decide, with the report."""

    player = string("The player's id.")
    report = part(ConductReportSchema, null=True)


class StepCasesSchema(AnswerSchema):
    """The appeals that the caller may decide, the oldest first."""

    items = several(StepCaseSchema)
    more = flag()
    names = name_map()


class ModerationEntrySchema(AnswerSchema):
    """An entry of the moderation log, and the signed checkpoint of the log up to it."""

    number = whole_number()
    entry = of_schema({"type": "object"})
    note = string()


class ModerationEntriesSchema(AnswerSchema):
    """The entries of the moderation log after a number."""

    origin = string()
    items = several(ModerationEntrySchema)
    more = flag()
