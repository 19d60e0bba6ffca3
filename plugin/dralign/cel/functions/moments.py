"""The parts of timestamps (in a time zone) and of durations.

Source: cel-go common/stdlib/standard.go and types/duration.go; Go's time package for zones.
"""

from __future__ import annotations

from dralign.cel.values import CelError, Duration, Timestamp
from dralign.values import gotext, int64

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.cel.values import Value

_DAY = 86_400
_UTC = "UTC"


def civil(moment: Timestamp) -> tuple[int, int, int, int, int, int]:
    """Return year, month, day, hour, minute and second of a moment on the clock of its zone."""
    days, seconds = divmod(moment.seconds + moment.offset, _DAY)
    year, month, day = civil_date(days)
    return year, month, day, seconds // 3600, seconds // 60 % 60, seconds % 60


def civil_date(days: int) -> tuple[int, int, int]:
    """Return the Gregorian date of a day counted from 1970-01-01; years before 1 count on downwards."""
    era, day_of_era = divmod(days + 719_468, 146_097)  # eras of 400 years that begin on 1 March
    year_of_era = (day_of_era - day_of_era // 1460 + day_of_era // 36_524 - day_of_era // 146_096) // 365
    day_of_year = day_of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    shifted_month = (5 * day_of_year + 2) // 153
    month = shifted_month + 3 if shifted_month < 10 else shifted_month - 9
    return year_of_era + era * 400 + (month <= 2), month, day_of_year - (153 * shifted_month + 2) // 5 + 1


def days_of(year: int, month: int, day: int) -> int:
    """Return the number of a Gregorian date counted from 1970-01-01."""
    year -= month <= 2
    era, year_of_era = divmod(year, 400)
    day_of_year = (153 * (month - 3 if month > 2 else month + 9) + 2) // 5 + day - 1
    return era * 146_097 + year_of_era * 365 + year_of_era // 4 - year_of_era // 100 + day_of_year - 719_468


def get_full_year(moment: Timestamp, zone: str = _UTC) -> int:
    """``getFullYear``."""
    return civil(_in_zone(moment, zone))[0]


def get_month(moment: Timestamp, zone: str = _UTC) -> int:
    """``getMonth``, from 0."""
    return civil(_in_zone(moment, zone))[1] - 1


def get_day_of_year(moment: Timestamp, zone: str = _UTC) -> int:
    """``getDayOfYear``, from 0."""
    local = _in_zone(moment, zone)
    return (local.seconds + local.offset) // _DAY - days_of(civil(local)[0], 1, 1)


def get_day_of_month(moment: Timestamp, zone: str = _UTC) -> int:
    """``getDayOfMonth``, from 0."""
    return civil(_in_zone(moment, zone))[2] - 1


def get_date(moment: Timestamp, zone: str = _UTC) -> int:
    """``getDate``: the day of the month, from 1."""
    return civil(_in_zone(moment, zone))[2]


def get_day_of_week(moment: Timestamp, zone: str = _UTC) -> int:
    """``getDayOfWeek``, Sunday is 0."""
    local = _in_zone(moment, zone)
    return ((local.seconds + local.offset) // _DAY + 4) % 7  # 1970-01-01 was a Thursday


def get_hours(value: Value, zone: str = _UTC) -> int:
    """``getHours`` of a moment, or all hours of a duration."""
    return _whole(value, 3_600 * 10**9) if type(value) is Duration else civil(_in_zone(value, zone))[3]


def get_minutes(value: Value, zone: str = _UTC) -> int:
    """``getMinutes`` of a moment, or all minutes of a duration."""
    return _whole(value, 60 * 10**9) if type(value) is Duration else civil(_in_zone(value, zone))[4]


def get_seconds(value: Value, zone: str = _UTC) -> int:
    """``getSeconds`` of a moment, or all seconds of a duration."""
    return _whole(value, 10**9) if type(value) is Duration else civil(_in_zone(value, zone))[5]


def get_milliseconds(value: Value, zone: str = _UTC) -> int:
    """``getMilliseconds`` within the second of a moment, or all milliseconds of a duration."""
    if type(value) is Duration:
        return truncated(value.nanos, 10**6)[0]
    nanos: int = _in_zone(value, zone).nanos
    return nanos // 10**6


def truncated(number: int, divisor: int) -> tuple[int, int]:
    """Divide towards zero, as Go does; returns quotient and remainder."""
    quotient, rest = divmod(abs(number), divisor)
    return (quotient, rest) if number >= 0 else (-quotient, -rest)


def seconds_of(duration: Duration) -> float:
    """Return a duration in seconds, as Go's ``Duration.Seconds``."""
    whole, rest = truncated(duration.nanos, 10**9)
    return float(whole) + rest / 1e9


def _whole(duration: Duration, unit: int) -> int:
    whole, rest = truncated(duration.nanos, unit)
    return int(float(whole) + rest / float(unit))


def _in_zone(moment: Timestamp, zone: str) -> Timestamp:
    """Move a moment into a zone given by its IANA name or as ``+hh:mm``."""
    if zone in (_UTC, "", "Local"):
        return Timestamp(moment.seconds, moment.nanos)
    hours, colon, minutes = zone.partition(":")
    if not colon:
        return Timestamp(moment.seconds, moment.nanos, _offset_of(zone, moment.seconds))
    hour, minute = _number(hours), _number(minutes)
    offset = int64.wrap((hour * 60 - minute if zone[0] == "-" else hour * 60 + minute) * 60 * 10**9)
    return Timestamp(moment.seconds, moment.nanos, _whole(Duration(offset), 10**9))


def _number(text: str) -> int:
    """Follow ``strconv.Atoi``."""
    digits = text[1:] if text[:1] in ("+", "-") else text
    if not digits or digits.strip("0123456789"):
        raise CelError(f"strconv.Atoi: parsing {gotext.quote(text)}: invalid syntax")
    number = int(digits) if len(digits) < 100 else int64.MAX + 1
    number = -number if text[0] == "-" else number
    if not int64.MIN <= number <= int64.MAX:
        raise CelError(f"strconv.Atoi: parsing {gotext.quote(text)}: value out of range")
    return number


def _offset_of(name: str, seconds: int) -> int:
    """Return the offset of a named zone at a moment; the database is the machine's own, as in Go."""
    if ".." in name or name[0] in "/\\":
        raise CelError("time: invalid location name")
    import datetime as dt  # noqa: PLC0415  heavy and rare
    import zoneinfo  # noqa: PLC0415

    try:
        zone = zoneinfo.ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise CelError(f"unknown time zone {name}") from None
    try:
        moment = dt.datetime(1970, 1, 1, tzinfo=dt.UTC) + dt.timedelta(seconds=seconds)
        offset = moment.astimezone(zone).utcoffset()
    except OverflowError:  # within a day of the ends of Python's calendar
        offset = dt.datetime(1 if seconds < 0 else 9999, 6, 1, tzinfo=zone).utcoffset()
    return int(offset.total_seconds()) if offset else 0
