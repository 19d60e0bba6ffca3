"""What can be read from a timestamp or a duration."""

from __future__ import annotations

ROWS = (
    ("timestamp_to_day_of_month_1_based", "getDate", "timestamp.() -> int", "moments.get_date", "one"),
    ("timestamp_to_day_of_month_1_based_with_tz", "getDate", "timestamp.(string) -> int", "moments.get_date", "one"),
    ("timestamp_to_day_of_month", "getDayOfMonth", "timestamp.() -> int", "moments.get_day_of_month", "one"),
    (
        "timestamp_to_day_of_month_with_tz",
        "getDayOfMonth",
        "timestamp.(string) -> int",
        "moments.get_day_of_month",
        "one",
    ),
    ("timestamp_to_day_of_week", "getDayOfWeek", "timestamp.() -> int", "moments.get_day_of_week", "one"),
    ("timestamp_to_day_of_week_with_tz", "getDayOfWeek", "timestamp.(string) -> int", "moments.get_day_of_week", "one"),
    ("timestamp_to_day_of_year", "getDayOfYear", "timestamp.() -> int", "moments.get_day_of_year", "one"),
    ("timestamp_to_day_of_year_with_tz", "getDayOfYear", "timestamp.(string) -> int", "moments.get_day_of_year", "one"),
    ("timestamp_to_year", "getFullYear", "timestamp.() -> int", "moments.get_full_year", "one"),
    ("timestamp_to_year_with_tz", "getFullYear", "timestamp.(string) -> int", "moments.get_full_year", "one"),
    ("timestamp_to_hours", "getHours", "timestamp.() -> int", "moments.get_hours", "one"),
    ("timestamp_to_hours_with_tz", "getHours", "timestamp.(string) -> int", "moments.get_hours", "one"),
    ("duration_to_hours", "getHours", "duration.() -> int", "moments.get_hours", "one"),
    ("timestamp_to_milliseconds", "getMilliseconds", "timestamp.() -> int", "moments.get_milliseconds", "one"),
    (
        "timestamp_to_milliseconds_with_tz",
        "getMilliseconds",
        "timestamp.(string) -> int",
        "moments.get_milliseconds",
        "one",
    ),
    ("duration_to_milliseconds", "getMilliseconds", "duration.() -> int", "moments.get_milliseconds", "one"),
    ("timestamp_to_minutes", "getMinutes", "timestamp.() -> int", "moments.get_minutes", "one"),
    ("timestamp_to_minutes_with_tz", "getMinutes", "timestamp.(string) -> int", "moments.get_minutes", "one"),
    ("duration_to_minutes", "getMinutes", "duration.() -> int", "moments.get_minutes", "one"),
    ("timestamp_to_month", "getMonth", "timestamp.() -> int", "moments.get_month", "one"),
    ("timestamp_to_month_with_tz", "getMonth", "timestamp.(string) -> int", "moments.get_month", "one"),
    ("timestamp_to_seconds", "getSeconds", "timestamp.() -> int", "moments.get_seconds", "one"),
    ("timestamp_to_seconds_tz", "getSeconds", "timestamp.(string) -> int", "moments.get_seconds", "one"),
    ("duration_to_seconds", "getSeconds", "duration.() -> int", "moments.get_seconds", "one"),
)
