/**
 * The fixed part of a generated hook adapter: Python code that runs a chain of middleware within fast-agent's two phases
 * before and after tools.
 *
 *     before_tool_call   each call gets a task that runs its chain. A task that reaches the tool waits, and its arguments are
 *                        written into the request; a call that a hook answered is removed from the request.
 *     run_tools          fast-agent runs the remaining calls.
 *     after_tool_call    the waiting tasks get their results and complete their chains. The original request is restored, and
 *                        the results are in the order of the calls.
 *
 * fast-agent loads the file once per phase, so state that both phases share is kept on the tool runner, which exists for one
 * turn of an agent or clone (src/fast_agent/agents/tool_runner.py, tools/hook_loader.py of 0.10).
 */
export const adapterCode = `import asyncio
import importlib.util
import json
import os
import sys

try:
    from mcp_types import CallToolResult, TextContent
except ImportError:
    from mcp.types import CallToolResult, TextContent

HERE = os.path.dirname(os.path.abspath(__file__))


def text_content(text):
    return TextContent(type="text", text=text)


def _error(text):
    # By its wire name, which every version of the MCP types reads.
    return CallToolResult.model_validate({"content": [{"type": "text", "text": text}], "isError": True})


def _load(spec):
    file, name = spec.rsplit(":", 1)
    path = os.path.realpath(os.path.join(HERE, file))
    key = f"_callboard_hook_{path}"
    module = sys.modules.get(key)
    if module is None:
        for folder in (ROOT, os.path.dirname(path)):
            if folder not in sys.path:
                sys.path.append(folder)
        found = importlib.util.spec_from_file_location(key, path)
        if found is None or found.loader is None:
            raise ImportError(f"'{spec}' is not a Python file")
        module = importlib.util.module_from_spec(found)
        vars(module).update(CallToolResult=CallToolResult, TextContent=TextContent, text_content=text_content)
        sys.modules[key] = module
        try:
            found.loader.exec_module(module)
        except BaseException:
            del sys.modules[key]
            raise
    return spec, getattr(module, name)


class _Chain:
    """The hooks of one card, first declared outermost, and what its tools are called."""

    def __init__(self, hooks, servers, functions, children):
        self.hooks = [_load(spec) for spec in hooks]
        self.servers, self.functions, self.children = servers, functions, children

    def source_of(self, tool):
        """The kind of a tool, and its server."""
        for server in self.servers:
            if tool.startswith(f"{server}__"):
                return "mcp", server
        if tool in self.functions:
            return "function", None
        if tool.removeprefix("agent__") in self.children:
            return "agent", "agent"
        return "runtime", "runtime"


class _Context:
    """What a hook is told of its call. Read-only."""

    def __init__(self, **values):
        vars(self).update(values)

    def __setattr__(self, name, value):
        raise AttributeError(f"cannot assign to '{name}': it is read-only")


class _Call:
    """One call the model asked for, on its way down and up the chain."""

    def __init__(self, ctx, chain, key, request):
        loop = asyncio.get_running_loop()
        self.chain, self.key, self.request = chain, key, request
        self.asked = request.params.arguments
        self.passed = None
        self.reached, self.answer = loop.create_future(), loop.create_future()
        name = request.params.name
        source, server = chain.source_of(name)
        self.about = {
            "agent_name": ctx.agent_name.split("[")[0],
            "instance_name": ctx.agent_name,
            "tool_name": name,
            "tool_source": source,
            "server_name": server,
            "tool_use_id": key,
            "correlation_id": key,
            "state": {},
        }
        self.task = loop.create_task(self.layer(0, dict(self.asked or {})))

    @property
    def is_waiting(self):
        return self.reached.done() and not self.task.done()

    async def tool(self, args=None):
        if self.reached.done():
            raise RuntimeError("The tool runs once for each call, and it was asked already.")
        self.passed = dict(args) if args is not None else dict(self.asked or {})
        self.reached.set_result(None)
        return await self.answer

    async def layer(self, index, args):
        if index == len(self.chain.hooks):
            return await self.tool(args)
        spec, hook = self.chain.hooks[index]
        times = 0

        async def call_next(changed=None):
            nonlocal times
            times += 1
            if times > 1:
                raise RuntimeError(NEXT_TWICE)
            return await self.layer(index + 1, args if changed is None else changed)

        try:
            context = _Context(**self.about, original_tool_func=self.tool)
            result = await hook(context, dict(args), call_next)
            if times > 1:
                raise RuntimeError(NEXT_TWICE)
            if result is None:
                raise TypeError("It returned nothing. Return what call_next gave, or a result.")
            return _result_of(result)
        except Exception as error:
            return _error(f"Error: Hook '{spec}' failed: {type(error).__name__}: {error}")


NEXT_TWICE = "It called next more than once. A hook may call it once."


def _result_of(value):
    if isinstance(getattr(value, "content", None), list):
        return value
    if isinstance(value, dict) and isinstance(value.get("content"), list):
        return CallToolResult.model_validate(value)
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return CallToolResult(content=[text_content(text)])


async def _before(ctx, chain):
    requests = dict(ctx.message.tool_calls or {})
    calls = [_Call(ctx, chain, key, request) for key, request in requests.items()]

    def stop(_=None):
        for call in calls:
            call.task.cancel()

    # A turn that is cancelled among its tools has no after_tool_call.
    asyncio.current_task().add_done_callback(stop)
    try:
        for call in calls:
            await asyncio.wait([call.task, call.reached], return_when=asyncio.FIRST_COMPLETED)
    except BaseException:
        stop()
        raise
    for call in calls:
        if call.is_waiting:
            call.request.params.arguments = call.passed
    ctx.runner._callboard_calls = (ctx.message, requests, calls)
    ctx.message.tool_calls = {call.key: call.request for call in calls if call.is_waiting}


async def _after(ctx):
    kept = getattr(ctx.runner, "_callboard_calls", None)
    if kept is None:
        return
    ctx.runner._callboard_calls = None
    asked, requests, calls = kept
    given = dict(ctx.message.tool_results or {})
    for call in calls:
        call.request.params.arguments = call.asked
        if not call.answer.done():
            call.answer.set_result(given.get(call.key) or _error("The call gave no result."))
    asked.tool_calls = requests
    for call in calls:
        given[call.key] = await call.task
    ctx.message.tool_results = {**{key: given[key] for key in requests}, **given}
`;
