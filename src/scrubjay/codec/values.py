"""Checks of single values that a caller hands over, each naming the value and the remedy."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time

from scrubjay import limits
from scrubjay.errors import BadInput
from scrubjay.marks import Between, Count

ISO_REMEDY = "Give an ISO time with its zone, such as '2026-03-02T09:30:00+00:00'."
DAY_REMEDY = f"{ISO_REMEDY[:-1]}, or a day, such as '2026-03-02'."


_INSTANTS = {
    "first": time.min.replace(tzinfo=UTC),
    "noon": time(12, tzinfo=UTC),
    "last": time.max.replace(tzinfo=UTC),
}


def instant_of(day: date, instant: str) -> datetime:
    """The first or last instant of a day in UTC, or its noon; what is a time stays as it is."""
    return day if isinstance(day, datetime) else datetime.combine(day, _INSTANTS[instant])


def day_or_moment(text: str) -> date:
    """A day, or a time, from its ISO text; ValueError for what is neither."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        return datetime.fromisoformat(text)


def iso(moment: datetime | None) -> str | None:
    """A time as JSON."""
    return None if moment is None else moment.isoformat()


def read_stamp(value: object) -> datetime:
    """A time as conversations write it; ValueError with the remedy for what is none.

    A number is seconds since 1970, or thousandths of them and so on where seconds would lie beyond
    the calendar. A day is its noon in UTC, which is the same day nearly everywhere.
    """
    if isinstance(value, str) and not (len(value) > 8 and _NUMBER.fullmatch(value)):
        return _written(value)
    if isinstance(value, datetime):
        return value
    if isinstance(value, date):
        return instant_of(value, "noon")
    number = value if isinstance(value, int | float | str) and not isinstance(value, bool) else 0
    seconds = float(number)
    while seconds >= _SECONDS_MAX and math.isfinite(seconds):
        seconds /= 1000
    if not _SECONDS_MIN <= seconds < _SECONDS_MAX:
        raise ValueError(STAMP_REMEDY)
    return datetime.fromtimestamp(seconds, UTC)


STAMP_REMEDY = (
    "Give ISO time with its zone, seconds or milliseconds since 1970, or a day such as 2026-03-02."
)
# Seconds until the year 5138; and from 1973: smaller numbers are days written as one, or nothing.
_SECONDS_MAX, _SECONDS_MIN = 1e11, 1e8
_NUMBER = re.compile(r"[0-9]{9,19}(?:\.[0-9]{1,9})?")


def _written(text: str) -> datetime:
    try:
        # In RFC 3339 the letters may be small.
        moment = instant_of(day_or_moment(text.upper()), "noon")
    except ValueError:
        moment = _of_mail(text)
    if moment.tzinfo is None:
        raise ValueError("It has no time zone; add one, such as +00:00.")
    return moment


def _of_mail(text: str) -> datetime:
    """A time as RFC 2822 has it: "Mon, 2 Mar 2026 09:30:00 +0100"."""
    if _MAIL_DATE.match(text) is None:
        raise ValueError(STAMP_REMEDY)
    from email.utils import parsedate_to_datetime  # slow to import, and seldom needed

    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, IndexError, TypeError):
        raise ValueError(STAMP_REMEDY) from None
    # "-0000" is a time in UTC of which nothing is known but that.
    return moment.replace(tzinfo=UTC) if text.rstrip().endswith("-0000") else moment


_MAIL_DATE = re.compile(r"(?:[A-Za-z]{3}, *)?\d{1,2} [A-Za-z]{3} \d{4} \d{1,2}:\d\d")


def check_text(value: object, name: str, characters_max: int) -> None:
    """Text that can be stored, read back and searched."""
    if not isinstance(value, str):
        raise BadInput(name, value, "Give text.")
    if shows_nothing(value):
        raise BadInput(f"empty {name}", value, "Give at least one word.")
    if "\x00" in value:
        raise BadInput(f"NUL character in {name}", value, "Remove it; it is not text.")
    if len(value) > characters_max:
        raise BadInput(
            f"{name} of {len(value):,} characters",
            value,
            f"At most {characters_max:,} fit; cut it, or import it as a file.",
        )
    if value.isascii():
        return
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as error:
        raise BadInput(
            f"{name} is not valid Unicode at position {error.start}",
            value[error.start : error.start + 1],
            "Decode the bytes with their real encoding.",
        ) from None


def shows_nothing(text: str) -> bool:
    """Whether a reader would see no sign of a text."""
    # Nearly every text begins with a sign that is seen.
    return not "!" <= text[:1] <= "~" and _UNSEEN.fullmatch(text) is not None


# What shows nothing, as a class for patterns: spaces, controls, what joins or parts letters or
# turns their direction, the fillers of Hangul, the empty cell of Braille, and what only says how
# the sign before it is drawn.
UNSEEN = (
    r"\s\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    r"\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb"
)
# Not every reader of patterns takes characters beyond the first plane.
_UNSEEN = re.compile(rf"[{UNSEEN}\U0001d173-\U0001d17a\U000e0000-\U000e0fff]*")


def check_list(values: object, name: str, count: Count | None) -> Sequence[object]:
    """A list of at least and at most so many."""
    # A tuple first: it is the rule, and asking whether something is a sequence takes time.
    if not isinstance(values, tuple) and (
        isinstance(values, str) or not isinstance(values, Sequence)
    ):
        raise BadInput(name, values, "Give a list.")
    if count is not None and len(values) > count.most:
        raise BadInput(f"number of {name}", len(values), f"Give at most {count.most}.")
    if count is not None and len(values) < count.least:
        raise BadInput(f"number of {name}", len(values), f"Give at least {count.least}.")
    return values


def check_range(value: object, name: str, between: Between) -> None:
    """A number within its bounds."""
    if (
        isinstance(value, bool)
        or not isinstance(value, int | float)
        or not between.low <= value <= between.high
        or (between.above and value == between.low)
    ):
        raise BadInput(name, value, between.remedy)


def check_moment(value: object, name: str) -> datetime:
    """An aware time within the calendar the engine computes in, in UTC."""
    if not isinstance(value, datetime):
        raise BadInput(name, value, "Give a datetime with a time zone.")
    if value.tzinfo is None or value.utcoffset() is None:
        raise BadInput(
            f"{name} has no time zone", value.isoformat(), "Add one, such as +00:00 or tzinfo=UTC."
        )
    if not limits.YEAR_MIN <= value.year <= limits.YEAR_MAX:
        raise BadInput(
            name, value.isoformat(), f"Give a year from {limits.YEAR_MIN} to {limits.YEAR_MAX}."
        )
    return value.astimezone(UTC)


def check_metadata(metadata: object) -> dict[str, object]:
    """Metadata as plain JSON, bounded in size and depth."""
    if not isinstance(metadata, Mapping):
        raise BadInput("metadata", metadata, "Give a dict of JSON values.")
    if not metadata:
        # The same again, so that a unit without any need not be copied.
        return metadata if type(metadata) is dict else {}
    plain = _json_object(metadata, limits.METADATA_DEPTH_MAX)
    size = len(json.dumps(plain, ensure_ascii=False).encode("utf-8"))
    if size > limits.METADATA_BYTES_MAX:
        raise BadInput(
            "metadata bytes", size, f"At most {limits.METADATA_BYTES_MAX} fit; store a reference."
        )
    return plain


def _json_object(value: Mapping[object, object], depth: int) -> dict[str, object]:
    _check_depth(depth)
    return {_json_text(key, "key"): _json(inner, depth - 1) for key, inner in value.items()}


def _check_depth(left: int) -> None:
    if left == 0:
        most = limits.METADATA_DEPTH_MAX
        raise BadInput("metadata depth", f"more than {most} levels", "Nest less, or store text.")


def _json(value: object, depth: int) -> object:
    if isinstance(value, Mapping):
        return _json_object(value, depth)
    if isinstance(value, list | tuple):
        _check_depth(depth)
        return [_json(inner, depth - 1) for inner in value]
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return _json_number(value)
    return _json_text(value, "value")


def _json_number(value: int | float) -> int | float:
    if isinstance(value, float) and not math.isfinite(value):
        raise BadInput("metadata number", value, "JSON has no such number.")
    # Larger whole numbers come back rounded from most readers of JSON.
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        shown = f"a whole number of {value.bit_length()} bits"
        raise BadInput("metadata number", shown, "Give 64 bits at most, or text.")
    return value


def _json_text(value: object, part: str) -> str:
    if not isinstance(value, str):
        remedy = "Use text, numbers, true, false, null, lists and dicts, with text for keys."
        raise BadInput(f"metadata {part}", value, remedy)
    if "\x00" in value or not is_unicode(value):
        raise BadInput(f"metadata {part}", value, "Remove NUL characters and lone surrogates.")
    return value


def is_unicode(text: str) -> bool:
    """Whether it can be written as UTF-8."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def rounded(value: object) -> object:
    """JSON whose numbers are measures, shown with six digits."""
    if isinstance(value, float):
        return round(float(value), 6)
    if isinstance(value, Mapping):
        return {key: rounded(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(inner) for inner in value]
    return value
