"""The types of the hook specification, `fast_agent.agents.tool_hooks`, and a `FastAgent` for files that also declare agents in
Python. Released versions of fast-agent have no `tool_hooks`, so these are used beside an installed package too."""

import dataclasses
import importlib.abc
import importlib.machinery
import sys
import typing

stand_ins = sys.modules["_callboard_stand_ins"]

ToolCallArgs = typing.Optional[typing.Dict[str, typing.Any]]
ToolCallFn = typing.Callable[[ToolCallArgs], typing.Awaitable[stand_ins.CallToolResult]]


@dataclasses.dataclass(init=False, eq=False)
class ToolHookContext(stand_ins.ReadOnly):
    """The context of the hook specification. `original_tool_func` runs the tool itself and skips the remaining hooks."""

    agent_name: str
    server_name: typing.Optional[str]
    tool_name: str
    tool_source: str
    tool_use_id: typing.Optional[str]
    correlation_id: typing.Optional[str]
    original_tool_func: ToolCallFn
    # Beside the specification.
    instance_name: typing.Optional[str] = None
    state: typing.Optional[dict] = None

    def __init__(self, agent_name, server_name, tool_name, tool_source, tool_use_id, correlation_id, original_tool_func, instance_name=None, state=None):
        given = dict(locals())
        del given["self"]
        vars(self).update(given)


ToolHookFn = typing.Callable[[ToolHookContext, ToolCallArgs, ToolCallFn], typing.Awaitable[stand_ins.CallToolResult]]
ToolHookConfig = typing.Union[ToolHookFn, str]
ToolHooksConfig = typing.Optional[typing.List[ToolHookConfig]]

NAMES = {
    "agent_name": "agentName",
    "instance_name": "instanceName",
    "server_name": "serverName",
    "tool_name": "toolName",
    "tool_source": "toolSource",
    "tool_use_id": "toolUseId",
    "correlation_id": "correlationId",
    "state": "state",
}


def context_of(view, original_tool_func):
    """A context from JSON."""
    return ToolHookContext(**{name: stand_ins.read_only(view.get(key)) for name, key in NAMES.items()}, original_tool_func=original_tool_func)


def run_tool_with_hooks(*_, **__):
    raise RuntimeError("Callboard runs the hooks of a card itself. Name them in 'tool_hooks' of the card, and await 'call_next(args)' in a hook.")


class FastAgent:
    """Decorators such as `@fast.agent(...)` leave the function as it is: cards say which agents there are."""

    def __init__(self, *_, **__):
        pass

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return lambda *_, **__: (lambda function: function)

    def run(self, *_, **__):
        raise RuntimeError("Agents of a Python file do not run here: cards are the agents. Write a card for each '@fast.agent', and name its functions in 'function_tools' and 'tool_hooks'.")


HOOK_TYPES = {
    "ToolCallArgs": ToolCallArgs,
    "ToolCallFn": ToolCallFn,
    "ToolHookContext": ToolHookContext,
    "ToolHookFn": ToolHookFn,
}
CONFIGS = {"ToolHookConfig": ToolHookConfig, "ToolHooksConfig": ToolHooksConfig}
TOOL_HOOKS = "fast_agent.agents.tool_hooks"

stand_ins.STAND_INS.update(
    {
        TOOL_HOOKS: {**HOOK_TYPES, "run_tool_with_hooks": run_tool_with_hooks},
        "fast_agent.agents.agent_types": CONFIGS,
        "fast_agent": {"FastAgent": FastAgent},
        "fast_agent.core.fastagent": {"FastAgent": FastAgent},
    }
)
stand_ins.GIVEN.update(HOOK_TYPES)


class ToolHooksFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds `tool_hooks` where an installed fast-agent has none. It is asked last."""

    def find_spec(self, name, path=None, target=None):
        return importlib.machinery.ModuleSpec(name, self) if name == TOOL_HOOKS else None

    def exec_module(self, module):
        vars(module).update(stand_ins.STAND_INS[TOOL_HOOKS])


def install():
    stand_ins.install()
    sys.meta_path.append(ToolHooksFinder())
