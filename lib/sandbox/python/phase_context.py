"""The context of phase hooks, as fast-agent's hooks expect it (`ctx`, `ctx.agent` and `ctx.runner`), and the changes that a
hook makes to it, as JSON."""

import base64
import math
import sys

stand_ins = sys.modules["_callboard_stand_ins"]
ReadOnly, ReadOnlyDict = stand_ins.ReadOnly, stand_ins.ReadOnlyDict
message_of, view_of, read_only = stand_ins.message_of, stand_ins.view_of, stand_ins.read_only


class Fields(ReadOnlyDict):
    """A mapping whose values can be read as attributes. A name that fast-agent knows is None when it is not set."""

    known = ()

    def __getattr__(self, name):
        if name in self:
            return self[name]
        if name in type(self).known:
            return None
        raise AttributeError(f"there is no '{name}' here. {stand_ins.WHERE}")

    def __setattr__(self, name, value):
        raise AttributeError(f"cannot assign to '{name}': it is read-only. {stand_ins.WHERE}")


class RequestParams(Fields):
    """The request parameters of the next model call. A value that a hook sets is used until the turn ends."""

    settable = frozenset(
        """max_tokens temperature top_p top_k min_p presence_penalty frequency_penalty repetition_penalty stop_sequences
        max_iterations service_tier""".split()
    )
    known = frozenset(
        """max_tokens temperature top_p top_k min_p presence_penalty frequency_penalty repetition_penalty stop_sequences
        max_iterations parallel_tool_calls tool_result_mode streaming_timeout service_tier structured_tool_policy
        emit_loop_progress template_vars mcp_metadata use_history system_prompt model response_format metadata""".split()
    )

    def __init__(self, values=(), changed=(), **fields):
        super().__init__({**dict(values), **dict(changed), **fields})
        vars(self)["_changed"] = dict(changed)

    def __setattr__(self, name, value):
        if name not in self.settable:
            raise AttributeError(f"request_params.{name} cannot be changed here. {stand_ins.WHERE}")
        self._changed[name] = kept_of(value, f"request_params.{name}")
        dict.__setitem__(self, name, value)

    @property
    def model_fields_set(self):
        return set(self)


class Config(Fields):
    known = frozenset("name model use_history tool_only instruction default description".split())


class Usage(Fields):
    """Token counts, under the names of Callboard and of fast-agent."""

    known = frozenset("context_usage_percentage current_context_tokens context_window_size last_cache_activity_time".split())


class HookContext(ReadOnly):
    """The context of a phase hook. An attribute that Callboard does not offer raises AttributeError."""

    writable = ("message", "message_history")
    context = None
    agent_registry = None
    message_history_override = None

    def __init__(self, view):
        offered = {name: read_only(view[key]) for key, name in OFFERED.items() if key in view}
        vars(self).update(offered, hook_type=view.get("hookType"), agent_name=view.get("agentName"))
        vars(self)["usage"] = usage_of(view.get("usage"))
        kept = dict(view.get("runner") or {})
        changed = kept.pop("request_params", {})
        vars(self)["request_params"] = RequestParams(read_only(snake_keys(view.get("requestParams") or {})), changed)
        message = message_of(view["message"]) if view.get("message") is not None else None
        history = Messages(view.get("messageHistory"), message)
        delta = Messages(view.get("deltaMessages"), message)
        vars(self).update(message=message, message_history=history, _history=history, _delta=delta)
        turn = [message_of(one) for one in view.get("turnMessages") or []]
        vars(self).update(agent=Agent(self, view.get("agentConfig") or {}), runner=Runner(self, delta, turn, kept), _stop=None)

    def stop(self, says=""):
        """Stops the turn until a person decides whether it goes on."""
        if self.hook_type not in ("after_llm_call", "after_tool_call"):
            raise TypeError("ctx.stop is for after_llm_call and after_tool_call.")
        vars(self)["_stop"] = "" if says is None else str(says)

    def load_message_history(self, messages):
        self.message_history = list(messages or [])

    def get_agent(self, name):
        """Always None: hooks cannot reach other agents."""
        return None

    def __getattr__(self, name):
        raise AttributeError(f"Callboard's hook context has no '{name}'. docs/code.md lists what it has.")


OFFERED = {
    "instanceName": "instance_name",
    "correlationId": "correlation_id",
    "iteration": "iteration",
    "isTurnComplete": "is_turn_complete",
    "state": "state",
}


class AgentLifecycleContext(HookContext):
    @property
    def config(self):
        return self.agent.config

    @property
    def has_context(self):
        return False


class Messages(list):
    """Messages, with their values before the hook. When the last one is the current message, it is the object `ctx.message`."""

    def __init__(self, views, at_hand):
        views = list(views or [])
        super().__init__(message_of(one) for one in views)
        self.at_hand = None
        if self and at_hand is not None and view_of(self[-1]) == view_of(at_hand):
            self[-1] = self.at_hand = at_hand
        self.was = list(self)
        self.shown_at_hand = view_of(at_hand) if self.at_hand is not None else None


class Agent(ReadOnly):
    context = None
    agent_registry = None

    def __init__(self, context, config):
        vars(self).update(_context=context, name=context.agent_name, config=Config(read_only(config)))

    @property
    def message_history(self):
        return self._context.message_history

    @property
    def usage_accumulator(self):
        return self._context.usage

    def load_message_history(self, messages):
        self._context.load_message_history(messages)

    def get_agent(self, name):
        return None


class Runner:
    """The part of fast-agent's tool runner that hooks use. Attributes that a hook sets are kept for later hooks of the turn."""

    def __init__(self, context, delta, turn, kept):
        was = {name: value_of(one) for name, one in (kept or {}).items()}
        vars(self).update(_context=context, _delta=delta, _turn=turn, _appended=[], _kept=was)

    def __getattr__(self, name):
        try:
            return vars(self)["_kept"][name]
        except KeyError:
            raise AttributeError(f"Callboard's runner has no '{name}'. docs/code.md lists what it has.") from None

    def __setattr__(self, name, value):
        if name in vars(self) or hasattr(type(self), name):
            raise AttributeError(f"cannot assign to '{name}': it is read-only. {stand_ins.WHERE}")
        self._kept[name] = value

    def __delattr__(self, name):
        if name not in self._kept:
            raise AttributeError(f"cannot delete '{name}'. {stand_ins.WHERE}")
        del self._kept[name]

    @property
    def agent(self):
        return self._context.agent

    @property
    def iteration(self):
        return self._context.iteration

    @property
    def request_params(self):
        return self._context.request_params

    @property
    def delta_messages(self):
        return self._delta

    @property
    def turn_messages(self):
        return self._turn

    @property
    def last_message(self):
        return next((one for one in reversed(self._turn) if one.role == "assistant"), None)

    @property
    def is_done(self):
        return self._context.hook_type == "after_turn_complete"

    def append_messages(self, *messages):
        for one in messages:
            self._appended.extend(one if isinstance(one, (list, tuple)) else [one])


def usage_of(usage):
    if usage is None:
        return None
    counts = read_only(snake_keys(usage))
    named = {f"cumulative_{name}": counts[name] for name in ("input_tokens", "output_tokens") if name in counts}
    return Usage({**read_only(usage), **counts, **named})


def snake_keys(values):
    return {"".join(f"_{one.lower()}" if one.isupper() else one for one in key): value for key, value in values.items()}


def phase_result(context):
    message, runner = context.message, context.runner
    added = [one if isinstance(one, str) else view_of(one) for one in runner._appended]
    if context.hook_type == "before_llm_call":
        added = [view_of(one) for one in added_to_delta(runner._delta)] + added
    return {
        "stop": context._stop,
        "message": None if message is None else view_of(message),
        "messageHistory": history_of(context),
        "appendMessages": added,
        "runner": {**{name: kept_of(one, name) for name, one in runner._kept.items()}, **changed_params(context)},
    }


def changed_params(context):
    changed = context.request_params._changed
    return {"request_params": changed} if changed else {}


def history_of(context):
    """Changes to the current message are reported once, as the message. The history reports its value before the hook."""
    at_hand, was = context._history.at_hand, context._history.shown_at_hand
    return [was if at_hand is not None and one is at_hand else view_of(one) for one in context.message_history]


def added_to_delta(delta):
    before = len(delta.was)
    kept = len(delta) >= before and all(one is old for one, old in zip(delta, delta.was))
    if not kept:
        raise ValueError("delta_messages: messages may be changed or added at the end, not taken out.")
    return delta[before:]


def kept_of(value, name):
    """The attributes that a hook set on its runner, as JSON for `value_of`."""
    if value is None or isinstance(value, (bool, int, str)) and type(value) in (bool, int, str):
        return value
    if type(value) is float and math.isfinite(value):
        return value
    if type(value) is list:
        return [kept_of(one, name) for one in value]
    if type(value) is dict:
        pairs = [[kept_of(key, name), kept_of(one, name)] for key, one in value.items()]
        if all(type(key) is str and key != "$kind" for key in value):
            return {key: one for key, one in pairs}
        return {"$kind": "dict", "of": pairs}
    if type(value) in (set, frozenset):
        return {"$kind": type(value).__name__, "of": sorted((kept_of(one, name) for one in value), key=repr)}
    if type(value) is tuple:
        return {"$kind": "tuple", "of": [kept_of(one, name) for one in value]}
    if type(value) is bytes:
        return {"$kind": "bytes", "of": base64.b64encode(value).decode()}
    if hasattr(value, "role") and hasattr(value, "content"):
        return {"$kind": "message", "of": view_of(value)}
    wanted = "Keep text, numbers, lists, dicts, sets or messages: the next hook may run in another process."
    raise TypeError(f"ctx.runner.{name}: a {type(value).__name__} cannot be kept for the next hook. {wanted}")


def value_of(kept):
    if isinstance(kept, list):
        return [value_of(one) for one in kept]
    if not isinstance(kept, dict):
        return kept
    kind, inner = kept.get("$kind"), kept.get("of")
    if kind is None:
        return {key: value_of(one) for key, one in kept.items()}
    if kind == "dict":
        return {value_of(key): value_of(one) for key, one in inner}
    if kind == "bytes":
        return base64.b64decode(inner)
    if kind == "message":
        return message_of(inner)
    return {"set": set, "frozenset": frozenset, "tuple": tuple}[kind](value_of(one) for one in inner)


def show_hook_message(target, message, *, hook_name=None, **_):
    print(f"{hook_name}: {message}" if hook_name else message)


def show_hook_failure(target, *, hook_name=None, error=None, **_):
    show_hook_message(target, f"hook failure: {error}", hook_name=hook_name)


CONTEXTS = {"HookContext": HookContext, "AgentLifecycleContext": AgentLifecycleContext}
MESSAGES = {"show_hook_message": show_hook_message, "show_hook_failure": show_hook_failure}
stand_ins.STAND_INS.update(
    {
        "fast_agent.hooks": {**CONTEXTS, **MESSAGES},
        "fast_agent.hooks.hook_context": {"HookContext": HookContext},
        "fast_agent.hooks.lifecycle_hook_context": {"AgentLifecycleContext": AgentLifecycleContext},
        "fast_agent.hooks.hook_messages": MESSAGES,
        "fast_agent.context": {"get_current_context": lambda: None},
    }
)
stand_ins.STAND_INS["fast_agent.types"]["RequestParams"] = RequestParams
