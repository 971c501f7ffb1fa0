"""Minimal replacements for the parts of `mcp` and `fast_agent` that hooks and tools import, used when the packages are not
installed. Also converts those objects (these or the real ones) to JSON and back."""

import copy
import enum
import importlib.util
import logging
import sys
import types

json_of = sys.modules["_callboard_json_values"].json_of

# Version 2 of the MCP types uses snake case, version 1 the names of the protocol. Hooks may use either.
SNAKE = {"is_error": "isError", "structured_content": "structuredContent", "mime_type": "mimeType"}


class Model:
    """Attributes with defaults, like the pydantic models it replaces."""

    fields = {}

    def __init__(self, **values):
        values = {SNAKE.get(name, name): value for name, value in values.items()}
        for name, default in self.fields.items():
            value = values.pop(name, default)
            if value is REQUIRED:
                raise TypeError(f"{type(self).__name__} needs '{name}'")
            setattr(self, name, value() if value in (list, dict) else value)
        for name, value in values.items():
            setattr(self, name, value)

    def __getattr__(self, name):
        if name in SNAKE:
            return getattr(self, SNAKE[name])
        raise AttributeError(f"'{type(self).__name__}' has no '{name}'")

    def __setattr__(self, name, value):
        vars(self)[SNAKE.get(name, name)] = value

    def model_dump(self, **_):
        return {name: json_of(value) for name, value in vars(self).items() if value is not None}

    @classmethod
    def model_validate(cls, value):
        return value if isinstance(value, cls) else cls(**value)

    def model_copy(self, update=None, deep=False):
        del deep
        return type(self)(**{**vars(self), **(update or {})})

    def __eq__(self, other):
        return type(self) is type(other) and vars(self) == vars(other)

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in vars(self).items())})"


REQUIRED = object()


def model(class_name, /, **fields):
    return type(class_name, (Model,), {"fields": fields, "__module__": "mcp.types"})


TextContent = model("TextContent", type="text", text=REQUIRED, annotations=None)
ImageContent = model("ImageContent", type="image", data=REQUIRED, mimeType=REQUIRED, annotations=None)
AudioContent = model("AudioContent", type="audio", data=REQUIRED, mimeType=REQUIRED, annotations=None)
ResourceLink = model("ResourceLink", type="resource_link", uri=REQUIRED, name="", mimeType=None)
TextResourceContents = model("TextResourceContents", uri=REQUIRED, mimeType=None, text=REQUIRED)
BlobResourceContents = model("BlobResourceContents", uri=REQUIRED, mimeType=None, blob=REQUIRED)
EmbeddedResource = model("EmbeddedResource", type="resource", resource=REQUIRED, annotations=None)
CallToolResult = model("CallToolResult", content=list, isError=False, structuredContent=None)
CallToolRequestParams = model("CallToolRequestParams", name=REQUIRED, arguments=dict)
CallToolRequest = model("CallToolRequest", method="tools/call", params=REQUIRED)

MCP_TYPES = (TextContent, ImageContent, AudioContent, ResourceLink, TextResourceContents, BlobResourceContents,
             EmbeddedResource, CallToolResult, CallToolRequestParams, CallToolRequest)
BLOCKS = {"text": "TextContent", "image": "ImageContent", "audio": "AudioContent", "resource_link": "ResourceLink"}


def kind(name):
    """The real class when the project has imported the real package, so that isinstance works; else the replacement."""
    ours = globals()[name]
    for module in ("mcp.types", "mcp_types"):
        found = getattr(sys.modules.get(module), name, None)
        if found is not None and found is not ours:
            return found
    return ours


def text_content(text):
    return kind("TextContent")(type="text", text=text)


def get_text(block):
    return getattr(block, "text", None)


class LlmStopReason(str, enum.Enum):
    END_TURN = "endTurn"
    STOP_SEQUENCE = "stopSequence"
    MAX_TOKENS = "maxTokens"
    TOOL_USE = "toolUse"
    SAFETY = "safety"
    PAUSE = "pause"
    ERROR = "error"
    CANCELLED = "cancelled"
    TIMEOUT = "timeout"
    MAX_ITERATIONS = "maxIterations"


STOP_REASONS = {
    "end_turn": LlmStopReason.END_TURN,
    "stop_sequence": LlmStopReason.STOP_SEQUENCE,
    "max_tokens": LlmStopReason.MAX_TOKENS,
    "tool_use": LlmStopReason.TOOL_USE,
    "safety": LlmStopReason.SAFETY,
}


class PromptMessageExtended(Model):
    fields = {"role": "user", "content": list, "tool_calls": None, "tool_results": None, "channels": None, "stop_reason": None}

    def first_text(self):
        return next((text for text in map(get_text, self.content) if text is not None), "<no text>")

    def last_text(self):
        return next((text for text in map(get_text, reversed(self.content)) if text is not None), None)

    def all_text(self):
        return "\n".join(text for text in map(get_text, self.content) if text is not None)

    def add_text(self, text):
        self.content.append(text_content(text))
        return self.content[-1]


class ReadOnly:
    writable = ()

    def __setattr__(self, name, value):
        if name not in self.writable:
            raise AttributeError(f"cannot assign to '{name}': it is read-only. {WHERE}")
        object.__setattr__(self, name, value)

    def __delattr__(self, name):
        raise AttributeError(f"cannot delete '{name}': it is read-only. {WHERE}")


WHERE = "docs/code.md lists what a hook may change."


def refuse(self, *_, **__):
    raise TypeError(f"this is read-only: change a copy. {WHERE}")


class ReadOnlyDict(dict):
    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = refuse

    def copy(self):
        return dict(self)

    def __reduce__(self):
        return dict, (dict(self),)

    def __deepcopy__(self, memo):
        return {key: copy.deepcopy(one, memo) for key, one in self.items()}


class ReadOnlyList(list):
    __setitem__ = __delitem__ = __iadd__ = __imul__ = append = clear = extend = insert = pop = remove = reverse = sort = refuse

    def copy(self):
        return list(self)

    def __reduce__(self):
        return list, (list(self),)

    def __deepcopy__(self, memo):
        return [copy.deepcopy(one, memo) for one in self]


def read_only(value):
    if isinstance(value, dict):
        return ReadOnlyDict({key: read_only(one) for key, one in value.items()})
    return ReadOnlyList(map(read_only, value)) if isinstance(value, list) else value


def message_of(view):
    role = view.get("role")
    if role == "tool":
        results = {one["callId"]: result_of(one["result"]) for one in view.get("results", [])}
        return PromptMessageExtended(role="user", tool_results=results)
    calls = {one["id"]: request_of(one) for one in view.get("toolCalls") or []}
    message = PromptMessageExtended(role=role, content=[block_of(one) for one in view.get("content", [])])
    message.tool_calls = calls or None
    message.stop_reason = STOP_REASONS.get(view.get("stopReason"))
    message.reasoning = view.get("reasoning")
    return message


def request_of(call):
    params = kind("CallToolRequestParams")(name=call["name"], arguments=call.get("arguments") or {})
    return kind("CallToolRequest")(method="tools/call", params=params)


def view_of(message):
    if isinstance(message, dict):
        return json_of(message)
    results = getattr(message, "tool_results", None)
    if results:
        return {"role": "tool", "results": [{"callId": key, "result": json_of(one)} for key, one in results.items()]}
    content = [json_of(one) for one in message.content] if isinstance(message.content, (list, tuple)) else [json_of(message.content)]
    if message.role != "assistant":
        return {"role": "user", "content": content}
    reason = getattr(message, "stop_reason", None)
    return {
        "role": "assistant",
        "content": content,
        "toolCalls": [
            {"id": key, "name": one.params.name, "arguments": json_of(one.params.arguments or {})}
            for key, one in (getattr(message, "tool_calls", None) or {}).items()
        ],
        "stopReason": next((name for name, known in STOP_REASONS.items() if known == reason), "end_turn"),
        **({"reasoning": message.reasoning} if getattr(message, "reasoning", None) else {}),
    }


def result_of(value):
    """A CallToolResult from JSON."""
    content = [block_of(one) for one in value.get("content", [])]
    structured = value.get("structuredContent")
    more = {} if structured is None else {"structuredContent": structured}
    return kind("CallToolResult")(content=content, isError=bool(value.get("isError")), **more)


def block_of(value):
    name = BLOCKS.get(value.get("type"))
    try:
        if name is not None:
            return kind(name)(**{"name": value.get("uri"), **value} if name == "ResourceLink" else value)
        inner = {key: value[key] for key in ("uri", "mimeType", "text", "blob") if key in value}
        resource = kind("BlobResourceContents" if "blob" in inner else "TextResourceContents")(**{"text": "", **inner} if "blob" not in inner else inner)
        return kind("EmbeddedResource")(type="resource", resource=resource)
    except Exception:
        return Model(**value)


class KeywordLogger(logging.LoggerAdapter):
    """Accepts any keyword argument, like the loggers of fast-agent."""

    def process(self, message, keywords):
        known = {key: keywords[key] for key in ("exc_info", "stack_info", "stacklevel", "extra") if key in keywords}
        rest = {key: value for key, value in keywords.items() if key not in known}
        return (f"{message} {rest}" if rest else message), known


def get_logger(name=None, *_):
    logger = logging.getLogger(name)
    logger.setLevel(logging.INFO)
    return KeywordLogger(logger, {})


STAND_INS = {
    "mcp.types": {one.__name__: one for one in MCP_TYPES} | {"ContentBlock": Model},
    "mcp_types": {one.__name__: one for one in MCP_TYPES} | {"ContentBlock": Model},
    "fast_agent.mcp.helpers.content_helpers": {"text_content": text_content, "get_text": get_text},
    "fast_agent.mcp.prompt_message_extended": {"PromptMessageExtended": PromptMessageExtended},
    "fast_agent.types": {"PromptMessageExtended": PromptMessageExtended, "LlmStopReason": LlmStopReason},
    "fast_agent.types.llm_stop_reason": {"LlmStopReason": LlmStopReason},
    "fast_agent.core.logging.logger": {"get_logger": get_logger},
}


def install():
    """Registers a replacement for each package that cannot be imported. Installed packages are used as they are."""
    for package in ("mcp", "mcp_types", "fast_agent"):
        if importlib.util.find_spec(package) is not None:
            continue
        for path, names in STAND_INS.items():
            if path.split(".")[0] != package:
                continue
            parts = path.split(".")
            for end in range(1, len(parts) + 1):
                name = ".".join(parts[:end])
                if name not in sys.modules:
                    module = types.ModuleType(name, "A stand-in by Callboard; the package is not installed.")
                    module.__path__ = []
                    sys.modules[name] = module
                    if end > 1:
                        setattr(sys.modules[".".join(parts[: end - 1])], parts[end - 1], module)
            vars(sys.modules[path]).update(names)


# The examples of the hook specification use these names without importing them.
GIVEN = {"CallToolResult": CallToolResult, "TextContent": TextContent, "text_content": text_content}
