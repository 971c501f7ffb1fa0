"""Converts values of a project's code to JSON. What has no JSON form that reads back as the same thing is an error with a sentence."""

import base64
import collections.abc
import dataclasses
import datetime
import enum
import math
import sys

# The worker reads JSON that is nested this deeply at most, with some room for what is around a result.
MAX_DEPTH = 400
# An endless generator ends here.
MAX_ITEMS = 1_000_000
# Larger integers are no numbers in JSON, because they are beyond the range of doubles.
LARGEST = int(sys.float_info.max)


class NoJson(TypeError):
    """The message is a whole sentence with the next step."""


def result_json(value):
    """The JSON of what a tool returned. A whole result that is an integer becomes text, which keeps all digits of any integer."""
    value = value.value if isinstance(value, enum.Enum) else value
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 2**53:
        return text_of_int(value)
    return json_of(value)


def json_of(value, depth=0):
    """Converts any value to JSON: models by their fields, numbers beyond JSON, dates and the like as text."""
    if value is None or isinstance(value, bool) or type(value) is str:
        return value
    if isinstance(value, enum.Enum):
        return json_of(value.value, depth)
    if isinstance(value, str):
        return str(value)
    if isinstance(value, int):
        return int(value) if abs(value) <= LARGEST else text_of_int(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else str(value)
    if isinstance(value, (bytes, bytearray, memoryview)):
        return base64.b64encode(bytes(value)).decode()
    if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
        return value.isoformat()
    if depth > MAX_DEPTH:
        raise NoJson(f"The value is nested more than {MAX_DEPTH} levels deep, or contains itself. Return a flatter one.")
    below = depth + 1
    if hasattr(value, "model_dump") and not isinstance(value, type):
        return value.model_dump(mode="json", by_alias=True, exclude_none=True)
    if isinstance(value, collections.abc.Mapping):
        return members(value, below)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: json_of(getattr(value, field.name), below) for field in dataclasses.fields(value)}
    if isinstance(value, collections.abc.Set):
        return [json_of(one, below) for one in in_order(value)]
    if isinstance(value, (collections.abc.Sequence, collections.abc.ValuesView, collections.deque)):
        return [json_of(one, below) for one in value]
    if callable(getattr(value, "tolist", None)):
        return json_of(value.tolist(), below)
    return other(value, below)


def members(value, depth):
    found = {}
    for key, one in value.items():
        name = key_of(key)
        if name in found:
            raise NoJson(f"Two keys of a dict are both '{name}' as text, and JSON has text keys only. Rename one of them.")
        found[name] = json_of(one, depth)
    return found


def key_of(key):
    key = key.value if isinstance(key, enum.Enum) else key
    return key if isinstance(key, str) else str(key)


def in_order(values):
    """The order of a set differs between processes, so a sortable one is sorted."""
    try:
        return sorted(values)
    except TypeError:
        return sorted(values, key=lambda one: (type(one).__name__, repr(one)))


def text_of_int(value):
    try:
        return str(value)
    except ValueError:
        digits = int(value.bit_length() * 0.30103) + 1
        raise NoJson(f"An integer with about {digits} digits is too long for a result. Return a part of it, or write it to a file.") from None


def other(value, depth):
    kind = type(value)
    if isinstance(value, collections.abc.Iterator):
        return [json_of(one, depth) for one in taken(value)]
    has_text = kind.__str__ is not object.__str__ or kind.__repr__ is not object.__repr__
    if has_text and not callable(value) and not isinstance(value, collections.abc.AsyncIterable):
        return str(value)
    raise NoJson(f"A value of type '{kind.__name__}' has no JSON form. Return text, a number, a list, a dict, a dataclass or a model.")


def taken(values):
    """The items of a generator or another iterator."""
    found = []
    for one in values:
        found.append(one)
        if len(found) > MAX_ITEMS:
            raise NoJson(f"A generator gave more than {MAX_ITEMS:,} items. Return fewer of them.")
    return found


async def taken_async(values):
    found = []
    async for one in values:
        found.append(one)
        if len(found) > MAX_ITEMS:
            raise NoJson(f"A generator gave more than {MAX_ITEMS:,} items. Return fewer of them.")
    return found
