"""Converts the signature of a function tool: type hints to JSON schema, and JSON arguments to the types of the hints."""

import collections.abc
import dataclasses
import datetime
import decimal
import enum
import functools
import inspect
import pathlib
import re
import types
import typing
import uuid

UNION_TYPES = (typing.Union, getattr(types, "UnionType", typing.Union))
MAX_DEPTH = 12


class Mismatch(Exception):
    """An argument does not match its hint. The message names the place and the reason."""


def signature_of(function):
    """(name, hint, default) of each parameter. Raises TypeError for a parameter that a model cannot fill."""
    written = documented(function)
    try:
        hints = typing.get_type_hints(written, include_extras=True)
    except Exception:
        hints = dict(getattr(written, "__annotations__", {}))
    found = []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            raise TypeError(f"it takes '{parameter}', which no model can fill; give it named parameters")
        found.append((parameter, hints.get(parameter.name, typing.Any)))
    return found


def documented(function):
    """The function as it is written, with its hints and its docstring: that of a partial, or the `__call__` of an object."""
    while isinstance(function, (functools.partial, functools.partialmethod)):
        function = function.func
    is_object = not isinstance(function, type) and not inspect.isroutine(function)
    return type(function).__call__ if is_object and callable(function) else function


def plain_hint(hint):
    """The type that a qualifier (`NotRequired[T]`, `Final[T]`), a `NewType` or a type alias stands for."""
    for _ in range(MAX_DEPTH):
        if getattr(typing.get_origin(hint), "_name", None) in QUALIFIERS:
            hint = typing.get_args(hint)[0]
        elif hasattr(hint, "__supertype__"):
            hint = hint.__supertype__
        elif type(hint).__name__ == "TypeAliasType":
            hint = hint.__value__
        else:
            break
    return hint


QUALIFIERS = ("NotRequired", "Required", "ReadOnly", "Final")


def input_schema(function):
    properties, required, definitions = {}, [], {}
    described = documented_parameters(inspect.getdoc(documented(function)) or "")
    for parameter, hint in signature_of(function):
        hint, default = with_field_default(hint, parameter.default)
        schema = schema_of(hint, definitions, 0)
        if parameter.name in described and "description" not in schema:
            schema = {**schema, "description": described[parameter.name]}
        if default is parameter.empty:
            required.append(parameter.name)
        elif is_plain(default):
            schema = {**schema, "default": default}
        properties[parameter.name] = schema
    # `bind` rejects arguments without a parameter.
    schema = {"type": "object", "properties": properties, "additionalProperties": False}
    if required:
        schema["required"] = required
    if definitions:
        schema["$defs"] = definitions
    return schema


SECTION = re.compile(r"^(?:Args|Arguments|Parameters|Params):\s*$")
ARGUMENT = re.compile(r"^\*{0,2}(\w+)\s*(?:\([^)]*\))?\s*:\s*(.*)$")
FIELD = re.compile(r"^:param\s+(?:[\w\[\], |.]+\s)?\s*(\w+)\s*:\s*(.*)$")


def documented_parameters(text):
    """The text on each parameter in a docstring: an `Args:` section with indented `name: text` lines, or `:param name: text`."""
    found, inside, base, name = {}, False, None, None
    for line in text.splitlines():
        stripped, indent = line.strip(), len(line) - len(line.lstrip())
        field = FIELD.match(stripped)
        if field:
            inside, name, base = True, field[1], indent
            found[name] = field[2]
        elif SECTION.match(line):
            inside, name, base = True, None, None
        elif not stripped:
            name = None
        elif inside and indent == 0:
            inside = False
        elif inside and (base is None or indent <= base):
            base = indent
            argument = ARGUMENT.match(stripped)
            name = argument[1] if argument else None
            if name:
                found[name] = argument[2]
        elif inside and name:
            found[name] = f"{found[name]} {stripped}".strip()
    return {name: one for name, one in found.items() if one}


def is_field(value):
    return type(value).__name__ == "FieldInfo" and hasattr(value, "metadata")


def with_field_default(hint, default):
    """Rewrites `x: int = Field(3, ge=0)` as `x: Annotated[int, Field(ge=0)] = 3`."""
    if not is_field(default):
        return hint, default
    inner = default.default
    factory = getattr(default, "default_factory", None)
    if factory is not None:
        inner = factory()
    elif inner is Ellipsis or type(inner).__name__ == "PydanticUndefinedType":
        inner = inspect.Parameter.empty
    return typing.Annotated[hint, default], inner


def is_plain(value):
    if isinstance(value, (list, tuple)):
        return all(is_plain(one) for one in value)
    if isinstance(value, dict):
        return all(isinstance(key, str) and is_plain(one) for key, one in value.items())
    return value is None or type(value) in (str, int, float, bool)


def schema_of(hint, definitions, depth):
    hint = plain_hint(hint)
    if depth > MAX_DEPTH or hint is typing.Any or hint is inspect.Parameter.empty:
        return {}
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        return annotated_schema(args[0], args[1:], definitions, depth)
    if origin in UNION_TYPES:
        return any_of([schema_of(one, definitions, depth + 1) for one in args])
    if origin is typing.Literal:
        return literal_schema(list(args))
    if hint is None or hint is type(None):
        return {"type": "null"}
    kind = origin or hint
    if not isinstance(kind, type):
        return {}
    if issubclass(kind, enum.Enum):
        return literal_schema([member.value for member in kind])
    for known, schema in PLAIN:
        if kind is known:
            return dict(schema)
    if is_pydantic(kind):
        schema = kind.model_json_schema(ref_template="#/$defs/{model}")
        definitions.update(schema.pop("$defs", {}))
        return schema
    if dataclasses.is_dataclass(kind) or is_typed_dict(kind):
        return fields_schema(kind, definitions, depth)
    if issubclass(kind, tuple):
        if len(args) == 2 and args[1] is Ellipsis:
            return {"type": "array", "items": schema_of(args[0], definitions, depth + 1)}
        items = [schema_of(one, definitions, depth + 1) for one in args]
        return {"type": "array", **({"prefixItems": items, "minItems": len(items), "maxItems": len(items)} if items else {})}
    if issubclass(kind, collections.abc.Mapping):
        return {"type": "object", **({"additionalProperties": schema_of(args[1], definitions, depth + 1)} if len(args) == 2 else {})}
    if issubclass(kind, (collections.abc.Sequence, collections.abc.Set)) or kind in (collections.abc.Iterable, collections.abc.Collection):
        unique = {"uniqueItems": True} if issubclass(kind, collections.abc.Set) else {}
        return {"type": "array", **({"items": schema_of(args[0], definitions, depth + 1)} if args else {}), **unique}
    return {}


PLAIN = (
    (bool, {"type": "boolean"}),
    (int, {"type": "integer"}),
    (float, {"type": "number"}),
    (str, {"type": "string"}),
    (bytes, {"type": "string"}),
    (decimal.Decimal, {"type": "string"}),
    (datetime.datetime, {"type": "string", "format": "date-time"}),
    (datetime.date, {"type": "string", "format": "date"}),
    (datetime.time, {"type": "string", "format": "time"}),
    (uuid.UUID, {"type": "string", "format": "uuid"}),
    (pathlib.Path, {"type": "string"}),
    (object, {}),
)


def annotated_schema(hint, extras, definitions, depth):
    schema = schema_of(hint, definitions, depth + 1)
    for extra in extras:
        if isinstance(extra, str):
            schema = {**schema, "description": extra}
        elif isinstance(getattr(extra, "description", None), str):
            schema = {**schema, "description": extra.description}
    for name, value in bounds_of(extras):
        key = SIZES.get(schema.get("type"), {}).get(name) or BOUNDS.get(name)
        # A bound is not written beside a union: it does not apply to the other members.
        if key is not None and ("type" in schema or name not in LENGTHS):
            schema = {**schema, key: value}
    return schema


BOUNDS = {"ge": "minimum", "gt": "exclusiveMinimum", "le": "maximum", "lt": "exclusiveMaximum", "multiple_of": "multipleOf", "min_length": "minLength", "max_length": "maxLength", "pattern": "pattern"}
LENGTHS = ("min_length", "max_length")
SIZES = {"array": {"min_length": "minItems", "max_length": "maxItems"}, "object": {"min_length": "minProperties", "max_length": "maxProperties"}}


def bounds_of(extras):
    """(name, value) of each bound in `Field` or `annotated_types`."""
    for extra in extras:
        for bound in getattr(extra, "metadata", None) or [extra]:
            if isinstance(bound, str):
                continue
            for name in BOUNDS:
                value = getattr(bound, name, None)
                if isinstance(value, (int, float, str)) and not isinstance(value, bool):
                    yield name, value


def check_bounds(value, extras, where):
    if value is None:
        return
    for name, bound in bounds_of(extras):
        if name == "pattern":
            fits = not isinstance(value, str) or re.search(bound, value) is not None
        elif name in LENGTHS:
            size = len(value) if hasattr(value, "__len__") else None
            fits = size is None or (size >= bound if name == "min_length" else size <= bound)
        elif isinstance(value, (int, float, decimal.Decimal)) and not isinstance(value, bool):
            fits = COMPARE[name](value, bound)
        else:
            fits = True
        if not fits:
            raise Mismatch(f"{where} must {WORDS[name]} {bound!r}, not {value!r:.60}")


COMPARE = {
    "ge": lambda value, bound: value >= bound,
    "gt": lambda value, bound: value > bound,
    "le": lambda value, bound: value <= bound,
    "lt": lambda value, bound: value < bound,
    "multiple_of": lambda value, bound: value % bound == 0,
}
WORDS = {
    "ge": "be at least",
    "gt": "be more than",
    "le": "be at most",
    "lt": "be less than",
    "multiple_of": "be a multiple of",
    "min_length": "have a length of at least",
    "max_length": "have a length of at most",
    "pattern": "match",
}


def fields_schema(kind, definitions, depth):
    hints = typing.get_type_hints(kind, include_extras=True)
    if dataclasses.is_dataclass(kind):
        names = [field.name for field in dataclasses.fields(kind) if field.init]
        required = [
            field.name
            for field in dataclasses.fields(kind)
            if field.init and field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
        ]
    else:
        names, required = list(hints), sorted(kind.__required_keys__)
    fields = {name: schema_of(hints.get(name, typing.Any), definitions, depth + 1) for name in names}
    schema = {"type": "object", "properties": fields, "additionalProperties": False}
    return {**schema, "required": required} if required else schema


def literal_schema(values):
    kinds = {type(value) for value in values}
    names = {str: "string", int: "integer", bool: "boolean", float: "number"}
    if len(kinds) == 1 and next(iter(kinds)) in names:
        return {"type": names[next(iter(kinds))], "enum": values}
    return {"enum": [value for value in values if is_plain(value)]}


def any_of(schemas):
    return {} if {} in schemas else {"anyOf": schemas}


def is_pydantic(kind):
    return isinstance(kind, type) and hasattr(kind, "model_validate") and hasattr(kind, "model_json_schema")


def is_typed_dict(kind):
    return isinstance(kind, type) and issubclass(kind, dict) and hasattr(kind, "__required_keys__")


def bind(function, args):
    """Binds the converted arguments to `function`. Raises Mismatch."""
    positional, values, known = [], {}, set()
    for parameter, hint in signature_of(function):
        known.add(parameter.name)
        hint, default = with_field_default(hint, parameter.default)
        is_positional = parameter.kind is parameter.POSITIONAL_ONLY
        if parameter.name in args:
            value = convert(args[parameter.name], hint, parameter.name)
            if is_positional:
                positional.append(value)
            else:
                values[parameter.name] = value
        elif default is parameter.empty:
            raise Mismatch(f"'{parameter.name}' is missing")
        elif is_positional:
            # A later positional argument may be given.
            positional.append(default)
        elif default is not parameter.default:
            values[parameter.name] = default
    for name in args:
        if name not in known:
            raise Mismatch(f"there is no parameter '{name}'; it takes {', '.join(sorted(known)) or 'none'}")
    return functools.partial(function, *positional, **values)


def convert(value, hint, where):
    hint = plain_hint(hint)
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if hint is typing.Any or hint is inspect.Parameter.empty or hint is object:
        return value
    if origin is typing.Annotated:
        converted = convert(value, args[0], where)
        check_bounds(converted, args[1:], where)
        return converted
    if origin in UNION_TYPES:
        return convert_union(value, args, where)
    if origin is typing.Literal:
        if any(value == one and type(value) is type(one) for one in args):
            return value
        raise Mismatch(f"{where} must be one of {', '.join(map(repr, args))}, not {value!r}")
    if hint is None or hint is type(None):
        if value is None:
            return None
        raise Mismatch(f"{where} must be null")
    kind = origin or hint
    if not isinstance(kind, type):
        return value
    try:
        return convert_kind(value, kind, args, where)
    except Mismatch:
        raise
    except Exception as error:
        raise Mismatch(f"{where}: {error}") from error


def convert_union(value, hints, where):
    # An exact match comes before a conversion: "3" stays text in int | str.
    for hint in hints:
        if isinstance(hint, type) and type(value) is hint:
            return value
    if value is None and type(None) in hints:
        return None
    problem = None
    for hint in hints:
        try:
            return convert(value, hint, where)
        except Mismatch as mismatch:
            problem = mismatch
    raise problem or Mismatch(f"{where} does not fit")


def convert_kind(value, kind, args, where):
    def wrong(what):
        return Mismatch(f"{where} must be {what}, not {type(value).__name__} {value!r:.60}")

    if is_pydantic(kind):
        return kind.model_validate(value)
    if issubclass(kind, enum.Enum):
        for member in kind:
            if member.value == value or member.name == value:
                return member
        raise wrong("one of " + ", ".join(repr(member.value) for member in kind))
    if kind is bool:
        if isinstance(value, bool):
            return value
        if value in ("true", "True", "false", "False"):
            return value in ("true", "True")
        raise wrong("true or false")
    if kind is int:
        if isinstance(value, int) and not isinstance(value, bool):
            return value
        if isinstance(value, float) and value.is_integer():
            return int(value)
        if isinstance(value, str) and value.strip().lstrip("+-").isdigit():
            return int(value)
        raise wrong("a whole number")
    if kind is float:
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return float(value)
        if isinstance(value, str):
            return float(value)
        raise wrong("a number")
    if kind is str:
        if isinstance(value, str):
            return value
        raise wrong("text")
    if kind is bytes:
        return value.encode() if isinstance(value, str) else bytes(value)
    if kind in (datetime.datetime, datetime.date, datetime.time):
        if not isinstance(value, str):
            raise wrong("a date or time as text")
        text = value[:-1] + "+00:00" if value.endswith("Z") else value
        return kind.fromisoformat(text)
    if kind in (decimal.Decimal, uuid.UUID, pathlib.Path):
        return kind(str(value))
    if dataclasses.is_dataclass(kind) or is_typed_dict(kind):
        if not isinstance(value, dict):
            raise wrong("an object")
        hints = typing.get_type_hints(kind, include_extras=True)
        for name in value:
            if name not in hints:
                raise Mismatch(f"{where} has no field '{name}'")
        return kind(**{name: convert(one, hints[name], f"{where}.{name}") for name, one in value.items()})
    if issubclass(kind, tuple):
        if not isinstance(value, list):
            raise wrong("a list")
        if len(args) == 2 and args[1] is Ellipsis:
            args = (args[0],) * len(value)
        if args and len(args) != len(value):
            raise wrong(f"a list of {len(args)}")
        hints = args or (typing.Any,) * len(value)
        return tuple(convert(one, hint, f"{where}[{at}]") for at, (one, hint) in enumerate(zip(value, hints)))
    if issubclass(kind, collections.abc.Mapping):
        if not isinstance(value, dict):
            raise wrong("an object")
        if len(args) != 2:
            return value
        return {convert(key, args[0], where): convert(one, args[1], f"{where}.{key}") for key, one in value.items()}
    if issubclass(kind, collections.abc.Collection) or kind is collections.abc.Iterable:
        if not isinstance(value, list):
            raise wrong("a list")
        values = [convert(one, args[0], f"{where}[{at}]") for at, one in enumerate(value)] if args else value
        return kind(values) if kind in (set, frozenset, list) else set(values) if issubclass(kind, collections.abc.Set) else values
    return value
