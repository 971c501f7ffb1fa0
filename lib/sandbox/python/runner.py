"""Runs a project's Python for Callboard. It reads JSON lines from descriptor 3 and writes them to descriptor 4;
lib/sandbox/host/protocol.ts defines the messages. Started as `python -I -B runner.py SETTINGS`. Needs Python 3.9 only."""

import ast
import asyncio
import collections.abc
import concurrent.futures
import contextvars
import functools
import importlib.util
import inspect
import io
import json
import os
import signal
import sys
import threading
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))


def own_module(name):
    """Imports a module under a name that no project uses."""
    spec = importlib.util.spec_from_file_location(f"_callboard_{name}", os.path.join(HERE, f"{name}.py"))
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


json_values = own_module("json_values")
schema = own_module("schema")
stand_ins = own_module("stand_ins")
phase_context = own_module("phase_context")
hook_types = own_module("hook_types")

READ, WRITE = 3, 4
current_call = contextvars.ContextVar("current_call", default=None)


class Channel:
    def __init__(self):
        self.lock = threading.Lock()
        self.is_open = True

    def send(self, message):
        data = json.dumps(message, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace") + b"\n"
        with self.lock:
            while data and self.is_open:
                data = data[os.write(WRITE, data) :]

    def close_in_child(self):
        """A forked child continues in the project's code, but must not read or write messages."""
        self.is_open = False
        self.lock = threading.Lock()
        for descriptor in (READ, WRITE):
            try:
                os.close(descriptor)
            except OSError:
                pass


class Output(io.TextIOBase):
    """Sends each printed line as a log message of the call that printed it."""

    def __init__(self, channel, level, descriptor, limits):
        self.channel, self.level, self.descriptor, self.limits = channel, level, descriptor, limits
        self.partial, self.counts = {}, {}
        self.buffer = open(descriptor, "wb", buffering=0, closefd=False)

    encoding = "utf-8"
    errors = "replace"

    def writable(self):
        return True

    def fileno(self):
        return self.descriptor

    def write(self, text):
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        call = current_call.get()
        if self.counts.get(call, 0) > self.limits["logLines"]:
            return len(text)
        *lines, rest = (self.partial.pop(call, "") + text).split("\n")
        for line in lines:
            self.tell(call, line)
        if len(rest) > self.limits["logLineLength"]:
            self.tell(call, rest)
        elif rest:
            self.partial[call] = rest
        return len(text)

    def tell(self, call, line):
        count = self.counts.get(call, 0) + 1
        self.counts[call] = count
        if count > self.limits["logLines"] + 1:
            return
        level, most = self.level, self.limits["logLineLength"]
        if count > self.limits["logLines"]:
            level, line = "warning", f"More than {self.limits['logLines']} lines: the rest is left out."
        elif len(line) > most:
            line = f"{line[:most]}… ({len(line) - most} characters more)"
        self.channel.send({"type": "log", "id": call, "level": level, "text": line})

    def finish(self, call):
        """Sends text that was printed without a newline, and resets the counts."""
        for key in (call, None):
            rest = self.partial.pop(key, "")
            if rest:
                self.tell(key, rest)
            self.counts.pop(key, None)


class Failure(Exception):
    def __init__(self, code, message, frames=()):
        super().__init__(message)
        self.code, self.message, self.frames = code, message, list(frames)


class Host:
    def __init__(self, settings):
        self.root = settings["root"]
        self.limits = settings["limits"]
        self.channel = Channel()
        self.outputs = [Output(self.channel, "info", 1, self.limits), Output(self.channel, "warning", 2, self.limits)]
        self.process = os.getpid()
        self.modules = {}
        self.tasks = {}
        self.answers = {}
        self.threads = concurrent.futures.ThreadPoolExecutor(max_workers=16, thread_name_prefix="tool")

    async def serve(self):
        self.loop = asyncio.get_running_loop()
        ended = self.loop.create_future()
        threading.Thread(target=self.read, args=(ended,), daemon=True).start()
        self.channel.send({"type": "ready"})
        await ended

    def read(self, ended):
        with open(READ, "rb", closefd=False) as stream:
            for line in stream:
                self.loop.call_soon_threadsafe(self.receive, json.loads(line))
        # The worker has ended: end everything that runs for it.
        try:
            os.killpg(0, signal.SIGKILL)
        except Exception:
            os._exit(0)

    def receive(self, message):
        kind, call = message["type"], message["id"]
        if kind == "call":
            self.tasks[call] = self.loop.create_task(self.run(call, message["call"]))
        elif kind == "next":
            answer = self.answers.pop(call, None)
            if answer is not None and not answer.done():
                answer.set_result(message["result"])
        elif kind == "cancel" and call in self.tasks:
            self.tasks[call].cancel()

    async def run(self, call, request):
        current_call.set(call)
        try:
            value = await self.answer(call, request)
            outcome = {"type": "done", "id": call, "value": value}
            size = len(json.dumps(value))
            if size > self.limits["resultLength"]:
                raise Failure("limit", f"The result has {size} characters as JSON; the limit is {self.limits['resultLength']}.")
        except BaseException as error:
            outcome = {"type": "failed", "id": call, "failure": self.failure_of(error)}
        finally:
            if os.getpid() != self.process:
                # A forked child returned here: only its parent answers.
                os._exit(0)
            self.tasks.pop(call, None)
            self.answers.pop(call, None)
        for output in self.outputs:
            output.finish(call)
        try:
            self.channel.send(outcome)
        except (ValueError, TypeError, RecursionError) as error:
            failure = {"code": "contract", "message": f"The result cannot be sent: {error}"}
            self.channel.send({"type": "failed", "id": call, "failure": failure})

    async def answer(self, call, request):
        kind = request["kind"]
        function = self.find(request["file"], request["functionName"])
        if kind == "check":
            return self.check(function, request)
        if kind == "tool":
            try:
                ready = schema.bind(function, request["args"])
            except schema.Mismatch as mismatch:
                raise Failure("arguments", f"{mismatch}.") from None
            if is_async(function):
                value = ready()
            else:
                work = functools.partial(contextvars.copy_context().run, self.in_thread, ready)
                value = await to_its_end(self.loop.run_in_executor(self.threads, work))
            if inspect.isawaitable(value):
                value = await value
            if isinstance(value, collections.abc.AsyncIterator):
                value = await json_values.taken_async(value)
            return json_values.result_json(value)
        if kind == "around":
            return await self.around(call, function, request)
        context_type = phase_context.HookContext
        if request["context"].get("hookType") in ("on_start", "on_shutdown"):
            context_type = phase_context.AgentLifecycleContext
        context = context_type(request["context"])
        await as_awaitable(function(context))
        return phase_context.phase_result(context)

    def in_thread(self, ready):
        try:
            value = ready()
            # A generator runs its code when its items are asked for.
            return json_values.taken(value) if inspect.isgenerator(value) else value
        except (SystemExit, KeyboardInterrupt, StopIteration) as error:
            # Executors and futures treat these exceptions specially.
            raise RuntimeError(f"{type(error).__name__}: {error}") from error
        finally:
            if os.getpid() != self.process:
                os._exit(0)

    async def around(self, call, function, request):
        times = 0

        async def ask(args, bare):
            nonlocal times
            times += 1
            if times > 1:
                raise Failure("contract", NEXT_TWICE)
            # Called without arguments, the tool gets the hook's own arguments, including changes to them.
            args = json_values.json_of(request["args"] if args is KEPT else {} if args is None else args)
            if not isinstance(args, dict):
                raise TypeError(f"{'original_tool_func' if bare else 'call_next'} takes a dict, not {type(args).__name__}")
            answer = self.loop.create_future()
            self.answers[call] = answer
            self.channel.send({"type": "next", "id": call, "args": args, "bare": bare})
            return stand_ins.result_of(await answer)

        async def call_next(args=KEPT):
            return await ask(args, False)

        async def original_tool_func(args=KEPT):
            return await ask(args, True)

        context = hook_types.context_of(request["context"], original_tool_func)
        result = await as_awaitable(function(context, request["args"], call_next))
        if times > 1:
            raise Failure("contract", NEXT_TWICE)
        return json_values.json_of(result)

    def find(self, file, name):
        module = self.load(file)
        function = getattr(module, name, None)
        if function is None:
            # No line of the file is at fault: the worker reports the line of the card.
            raise Failure("load", f"'{name}' is not defined at top level.")
        if not callable(function):
            raise Failure("load", f"'{name}' is not callable but a {type(function).__name__}.", [{"file": file, "line": self.line_of(file, name)}])
        return function

    def line_of(self, file, name):
        """The last line at the top level that binds the name."""
        found, waiting = 1, []
        try:
            with open(os.path.join(self.root, *file.split("/")), "rb") as source:
                waiting.append(ast.parse(source.read()))
        except (OSError, SyntaxError, ValueError):
            pass
        while waiting:
            node = waiting.pop()
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                names = [node.name]
            elif isinstance(node, (ast.Import, ast.ImportFrom)):
                names = [one.asname or one.name.split(".")[0] for one in node.names]
            else:
                names = [node.id] if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) else []
                waiting.extend(ast.iter_child_nodes(node))
            if name in names:
                found = max(found, getattr(node, "lineno", 1))
        return found

    def load(self, file):
        if file in self.modules:
            return self.modules[file]
        path = os.path.join(self.root, *file.split("/"))
        for folder in (self.root, os.path.dirname(path)):
            if folder not in sys.path:
                sys.path.insert(0, folder)
        stem = os.path.splitext(os.path.basename(path))[0]
        spec = importlib.util.spec_from_file_location(f"_function_tool_{stem}_{len(self.modules)}", path)
        module = importlib.util.module_from_spec(spec)
        vars(module).update(stand_ins.GIVEN)
        sys.modules[spec.name] = module
        try:
            spec.loader.exec_module(module)
        except BaseException as error:
            sys.modules.pop(spec.name, None)
            failure = self.failure_of(error)
            if failure["code"] == "raised":
                failure["code"] = "load"
            raise Failure(failure["code"], failure["message"], failure.get("frames", [])) from None
        self.modules[file] = module
        return module

    def check(self, function, request):
        line = self.line_of(request["file"], request["functionName"])
        at = [{"file": request["file"], "line": line}]
        name, use = request["functionName"], request["use"]
        if use == "tool":
            try:
                described = schema.input_schema(function)
            except (TypeError, ValueError) as error:
                raise Failure("load", f"'{name}' cannot be a tool: {error}.", at) from None
            return {"description": inspect.getdoc(schema.documented(function)) or "", "inputSchema": described, "line": line}
        if not is_async(function):
            raise Failure("load", f"Hook function '{name}' must be async. Write 'async def {name}'.", at)
        wanted = ("ctx", "args", "call_next") if use == "middleware" else ("ctx",)
        try:
            inspect.signature(function).bind(*wanted)
        except TypeError:
            raise Failure("load", f"'{name}' must take ({', '.join(wanted)}).", at) from None
        return {"description": "", "inputSchema": {}, "line": line}

    def failure_of(self, error):
        if isinstance(error, Failure):
            return {"code": error.code, "message": error.message, "frames": error.frames}
        if isinstance(error, asyncio.CancelledError):
            return {"code": "stopped", "message": "It was stopped."}
        if isinstance(error, json_values.NoJson):
            return {"code": "contract", "message": str(error), "frames": []}
        if isinstance(error, MemoryError):
            most = self.limits["pythonMemoryBytes"] // (1024 * 1024)
            return {"code": "limit", "message": f"It used more than {most} MB of memory.", "frames": self.frames_of(error)}
        frames = self.frames_of(error)
        if isinstance(error, SyntaxError) and error.filename:
            frames.insert(0, {"file": self.inside(error.filename) or error.filename, "line": error.lineno or 1, "column": error.offset or 1})
            return {"code": "raised", "message": f"{type(error).__name__}: {error.msg}", "frames": frames}
        try:
            message = str(error)
        except BaseException:
            message = "an error that cannot be shown"
        return {"code": "raised", "message": f"{type(error).__name__}: {message[:2000]}" if message else type(error).__name__, "frames": frames}

    def frames_of(self, error):
        frames = []
        for frame in reversed(traceback.extract_tb(error.__traceback__, limit=-50)):
            file = self.inside(frame.filename)
            if file is not None:
                frames.append({"file": file, "line": frame.lineno or 1, "functionName": frame.name})
        return frames[:20]

    def inside(self, path):
        relative = os.path.relpath(os.path.realpath(path), os.path.realpath(self.root))
        return None if relative.startswith("..") else relative.replace(os.sep, "/")


KEPT = object()
NEXT_TWICE = "It called next more than once. A hook may call it once."


def is_async(function):
    while isinstance(function, functools.partial):
        function = function.func
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(getattr(function, "__call__", None))


async def to_its_end(future):
    """A thread cannot be stopped. A cancelled call sends nothing more, and the worker kills the process."""
    try:
        return await asyncio.shield(future)
    except asyncio.CancelledError:
        await asyncio.wait([future])
        raise


async def as_awaitable(value):
    return await value if inspect.isawaitable(value) else value


def set_limits(limits, tasks):
    try:
        import resource
    except ImportError:
        return
    wanted = {"RLIMIT_AS": limits["pythonMemoryBytes"], "RLIMIT_FSIZE": limits["pythonFileBytes"], "RLIMIT_CORE": 0, "RLIMIT_NOFILE": 256}
    if os.getuid() != 0:
        # This limit counts every task of the user and does not apply to root, so the worker counts processes as well.
        wanted["RLIMIT_NPROC"] = (tasks_of_user() if tasks is None else tasks) + limits["pythonProcesses"] + 32
    for name, value in wanted.items():
        try:
            _, hard = resource.getrlimit(getattr(resource, name))
            value = value if hard == resource.RLIM_INFINITY else min(value, hard)
            resource.setrlimit(getattr(resource, name), (value, value))
        except (AttributeError, OSError, ValueError):
            pass


def tasks_of_user():
    count = 0
    try:
        for name in os.listdir("/proc"):
            try:
                if name.isdigit() and os.stat(f"/proc/{name}").st_uid == os.getuid():
                    count += len(os.listdir(f"/proc/{name}/task"))
            except OSError:
                pass
    except OSError:
        return 1024
    return count


def main():
    settings = json.loads(sys.argv[1])
    sys.argv = [sys.argv[0]]
    for descriptor in (READ, WRITE):
        os.set_inheritable(descriptor, False)
    set_limits(settings["limits"], settings.get("tasks"))
    host = Host(settings)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=host.channel.close_in_child)
    sys.stdout, sys.stderr = host.outputs
    hook_types.install()
    asyncio.run(host.serve())


if __name__ == "__main__":
    main()
