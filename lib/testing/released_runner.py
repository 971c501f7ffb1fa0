"""A small stand-in of fast-agent's tool runner, for the tests of exported hook adapters: loads one file for each phase as a
module of its own, gives the hooks a runner, an agent and a message, runs what is left of the request, and keeps what fast-agent
keeps. Reads a scenario from standard input and prints what came of it, both as JSON."""

import asyncio
import importlib.util
import json
import os
import sys
import types


class Model:
    """As version 2 of the MCP types: snake_case attributes, camelCase on the wire, both accepted when made."""

    def __init__(self, **values):
        for name, value in values.items():
            setattr(self, WIRE.get(name, name), value)

    @classmethod
    def model_validate(cls, value):
        return cls(**value)


WIRE = {"isError": "is_error", "structuredContent": "structured_content"}


class TextContent(Model):
    pass


class CallToolResult(Model):
    def __init__(self, content, **values):
        self.is_error, self.structured_content = False, None
        super().__init__(**values)
        self.content = [TextContent(**one) if isinstance(one, dict) else one for one in content]


class Message(Model):
    tool_calls = tool_results = None


def load(spec, base):
    file, name = spec.rsplit(":", 1)
    path = os.path.realpath(os.path.join(base, file))
    found = importlib.util.spec_from_file_location(f"_hook_module_{os.path.basename(file)}_{name}", path)
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    hook = getattr(module, name)
    assert asyncio.iscoroutinefunction(hook), f"Hook function '{name}' must be async"
    return hook


class Agent:
    def __init__(self, name, tools, ran):
        self.name, self.tools, self.ran = name, tools, ran

    async def run_tools(self, request):
        if not request.tool_calls:
            return Message(role="user", tool_results={})
        results = await asyncio.gather(*(self.call(one) for one in request.tool_calls.values()))
        return Message(role="user", tool_results=dict(zip(request.tool_calls, results)))

    async def call(self, request):
        name, arguments = request.params.name, request.params.arguments
        self.ran.append([name, arguments])
        answer = self.tools[name]
        if answer == "raise":
            raise RuntimeError(f"{name} broke")
        text = json.dumps(arguments, sort_keys=True) if answer == "echo" else answer
        return CallToolResult(content=[TextContent(type="text", text=text)])


class Runner:
    """One turn: the part of the loop between a model's message and the next."""

    def __init__(self, agent, before, after):
        self._agent, self.before, self.after = agent, before, after

    async def generate_tool_call_response(self, request):
        try:
            await self.before(self.context(request, "before_tool_call"))
            response = await self._agent.run_tools(request)
        except Exception as error:
            failed = {key: failure(f"Tool hook or execution failed during run_tools: {error}") for key in request.tool_calls or {}}
            response = Message(role="user", tool_results=failed)
        try:
            await self.after(self.context(response, "after_tool_call"))
        except Exception as error:
            self.swallowed = repr(error)
        return response

    def context(self, message, phase):
        return types.SimpleNamespace(runner=self, agent=self._agent, agent_name=self._agent.name, message=message, hook_type=phase)


def failure(text):
    return CallToolResult(content=[TextContent(type="text", text=text)], is_error=True)


async def play(scenario):
    hooks = [load(scenario[phase], scenario["base"]) for phase in ("before", "after")]
    turns = []
    for turn in scenario["turns"]:
        ran = []
        agent = Agent(scenario["agent"], scenario["tools"], ran)
        calls = {
            key: types.SimpleNamespace(params=types.SimpleNamespace(name=name, arguments=arguments))
            for key, name, arguments in turn
        }
        request = Message(role="assistant", tool_calls=calls)
        runner = Runner(agent, *hooks)
        work = asyncio.ensure_future(runner.generate_tool_call_response(request))
        response = await work
        turns.append(
            {
                "ran": ran,
                "asked": [[key, one.params.name, one.params.arguments] for key, one in request.tool_calls.items()],
                "results": [
                    [key, "\n".join(block.text for block in one.content), one.is_error] for key, one in response.tool_results.items()
                ],
                "swallowed": getattr(runner, "swallowed", None),
            }
        )
    return turns


types_module = types.ModuleType("mcp_types")
types_module.CallToolResult, types_module.TextContent = CallToolResult, TextContent
sys.modules["mcp_types"] = types_module
print(json.dumps(asyncio.run(play(json.load(sys.stdin)))))
