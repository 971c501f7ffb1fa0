import type { ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { ByteLines } from '@/lib/base/byte-lines';
import { exactJson, parseExactJson } from '@/lib/base/exact-json';
import { isRecord, type Json } from '@/lib/base/json';
import { afterOutput } from '@/lib/sandbox/fence/after-output';
import { endingOf, fenceProcesses, spawnFenced } from '@/lib/sandbox/fence/spawn-fenced';
import { countTasksOfUser, killMarked, type Marker, marker } from '@/lib/sandbox/fence/stray-processes';
import type { CodeLimits } from '@/lib/sandbox/host/limits';
import type { Sandbox, SandboxEvents } from '@/lib/sandbox/host/pooled-sandbox';
import type { CodePlace, FromSandbox, LogLevel, SandboxFailure } from '@/lib/sandbox/host/protocol';

export interface PythonSandboxInput {
  readonly interpreter: string;
  /** The value of PATH. */
  readonly searchPath?: string | undefined;
  /** The folder with a copy of the project's files, which is also the working directory. */
  readonly root: string;
  /** The value of HOME and TMPDIR. */
  readonly home: string;
  readonly limits: CodeLimits;
}

export interface PythonSandbox extends Sandbox {
  /** Kills the process. `reason` becomes the reason of its exit. */
  stop(reason?: string): void;
  /** The process id, which is also the id of its process group and session. `undefined` when it could not start. */
  readonly pid: number | undefined;
}

/** Subprocesses and C code write to stdout and stderr directly. After this many bytes the stream is closed. */
const rawBytes = 256 * 1024;

/**
 * Returns the limit for a line, which holds a result as JSON text (up to three bytes a character) and a few fields around
 * it.
 */
function maxLineBytes(limits: CodeLimits): number {
  return 3 * limits.resultLength + 64 * 1024;
}

/** Returns the limit for the lines of both streams. Each has a last line that says that more were dropped. */
function mostLogs(limits: CodeLimits): number {
  return 2 * (limits.logLines + 2);
}

/** Starts a Python process in a process group of its own. It gets only PATH from the environment. */
export function openPythonSandbox(events: SandboxEvents, input: PythonSandboxInput): PythonSandbox {
  const mark = marker();
  let isOver = false;
  let lastWords = '';
  let stopReason: string | undefined;
  const child = spawnRunner(input, mark);
  const toChild = writable(child, 3);
  // Writing to a process that has ended fails; its `exit` event reports the end.
  toChild?.on('error', () => {});
  const fromChild = readable(child, 4);
  fromChild?.on('error', () => {});
  const lines = new ByteLines(maxLineBytes(input.limits));
  let logs = 0;
  fromChild?.on('data', (chunk: Buffer) => {
    if (lines.feed(chunk, takeLine)) return;
    fromChild.destroy();
    over(`it sent a line of more than ${maxLineBytes(input.limits)} bytes.`);
  });
  logLines(child.stdout, 'info', input.limits, events);
  logLines(child.stderr, 'warning', input.limits, events);
  child.stderr?.on('data', (chunk: string) => {
    lastWords = (lastWords + chunk).slice(-2000);
  });
  child.on('error', (error) => over(error.message));
  afterOutput(child, {
    onExit: () => killGroup(child, mark),
    onRead(exitCode, exitSignal) {
      const { code, signal } = endingOf(exitCode, exitSignal);
      const last = lastWords.trim().split('\n').at(-1) ?? '';
      const how = signal === null ? `exit code ${code}` : `signal ${signal}`;
      if (stopReason !== undefined) over(stopReason);
      else over(last === '' ? `${how}.` : `${how}: ${last.slice(0, 500)}`);
    },
  });

  return {
    pid: child.pid,
    send(message) {
      if (message.type === 'call') logs = 0;
      if (!isOver) toChild?.write(`${exactJson(message)}\n`);
    },
    stop(reason) {
      stopReason ??= reason;
      killGroup(child, mark);
    },
  };

  function takeLine(line: Uint8Array): void {
    const message = readMessage(Buffer.from(line.buffer, line.byteOffset, line.length).toString('utf8'));
    if (message === undefined) return;
    if (message.type !== 'log') {
      events.message(message);
      return;
    }
    // The runner counts lines too, but a project's code can write to the pipe itself.
    logs += 1;
    if (logs > mostLogs(input.limits)) return;
    events.message({ ...message, text: message.text.slice(0, 2 * input.limits.logLineLength) });
  }

  function over(reason: string): void {
    if (isOver) return;
    isOver = true;
    killGroup(child, mark);
    toChild?.destroy();
    events.exit(reason);
  }
}

/** Kills the process group. In a fence everything ends with it. Without one, processes that left the group are found by mark. */
function killGroup(child: ChildProcess, mark: Marker): void {
  if (child.pid !== undefined) {
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // The group is empty, or the system has no process groups.
      child.kill('SIGKILL');
    }
  }
  if (fenceProcesses() === 0) killMarked(mark);
}

function spawnRunner({ interpreter, searchPath, root, home, limits }: PythonSandboxInput, mark: Marker): ChildProcess {
  const runner = fileURLToPath(new URL('runner.py', import.meta.url));
  // The process limit counts every process of the user. Inside the fence the others are invisible, so they are counted
  // here.
  const tasks = fenceProcesses() > 0 && process.getuid?.() !== 0 ? countTasksOfUser() : undefined;
  return spawnFenced({
    command: interpreter,
    args: ['-I', '-B', '-X', 'utf8', runner, JSON.stringify({ root, limits, tasks })],
    cwd: root,
    env: {
      PATH: searchPath,
      HOME: home,
      TMPDIR: home,
      LANG: 'C.UTF-8',
      // Without this setting every thread reserves 64 MB of the address space, which is limited.
      MALLOC_ARENA_MAX: '2',
    },
    mark,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
  });
}

/** Logs what subprocesses and C code write to a standard stream. Closes the stream after `rawBytes`. */
function logLines(stream: Readable | null, level: LogLevel, limits: CodeLimits, events: SandboxEvents): void {
  const log = (of: LogLevel, text: string) => events.message({ type: 'log', id: undefined, level: of, text });
  let bytes = 0;
  let rest = '';
  stream?.setEncoding('utf8');
  stream?.on('error', () => {});
  stream?.on('data', (chunk: string) => {
    bytes += chunk.length;
    const lines = (rest + chunk).split('\n');
    rest = (lines.pop() ?? '').slice(-limits.logLineLength);
    const linesLeft = Math.max(0, limits.logLines - Math.floor((bytes - chunk.length) / 80));
    for (const line of lines.slice(0, linesLeft)) log(level, line.slice(0, limits.logLineLength));
    if (bytes <= rawBytes) return;
    log('warning', 'Too much output outside Python: it is closed.');
    stream.destroy();
  });
}

function writable(child: ChildProcess, descriptor: number): Writable | undefined {
  const stream = child.stdio[descriptor];
  return stream && 'write' in stream ? stream : undefined;
}

function readable(child: ChildProcess, descriptor: number): Readable | undefined {
  const stream = child.stdio[descriptor];
  return stream && 'read' in stream ? stream : undefined;
}

/**
 * A project's code can write anything to the pipe. Lines that are not messages are dropped. A result that cannot be read, such as one
 * that is nested too deeply, fails its call at once.
 */
function readMessage(line: string): FromSandbox | undefined {
  const message = parseExactJson(line);
  if (message === undefined) return unreadable(line);
  if (!isObject(message)) return undefined;
  const { type, id, value, args, failure, level, text } = message;
  if (type === 'ready') return { type };
  if (type === 'log' && typeof text === 'string') {
    return { type, id: typeof id === 'number' ? id : undefined, level: level === 'warning' ? level : 'info', text };
  }
  if (typeof id !== 'number') return undefined;
  if (type === 'done') return { type, id, value: value ?? null };
  if (type === 'next' && isObject(args)) return { type, id, args, bare: message.bare === true };
  if (type === 'failed') return { type, id, failure: readFailure(failure) };
  return undefined;
}

function unreadable(line: string): FromSandbox | undefined {
  const [, id] = /^\{"type": "(?:done|next)", "id": (\d{1,15}),/.exec(line) ?? [];
  if (id === undefined) return undefined;
  const message = 'Its result cannot be read: it is nested too deeply, or has a number that is too large for JSON.';
  return { type: 'failed', id: Number(id), failure: { code: 'contract', message } };
}

function readFailure(value: Json | undefined): SandboxFailure {
  const { code, message, frames } = isObject(value) ? value : {};
  return {
    code:
      code === 'load' || code === 'arguments' || code === 'contract' || code === 'limit' || code === 'stopped'
        ? code
        : 'raised',
    message: String(message ?? 'It failed.'),
    frames: Array.isArray(frames) ? frames.flatMap((frame) => readPlace(frame) ?? []) : [],
  };
}

function readPlace(value: Json): CodePlace | undefined {
  if (!isObject(value) || typeof value.file !== 'string' || typeof value.line !== 'number') return undefined;
  const { file, line, column, functionName } = value;
  return {
    file,
    line,
    ...(typeof column === 'number' && { column }),
    ...(typeof functionName === 'string' && { functionName }),
  };
}

function isObject(value: Json | undefined): value is { readonly [key: string]: Json } {
  return isRecord(value);
}
