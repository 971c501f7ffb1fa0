import type { ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { ByteLines } from '@/lib/base/byte-lines';
import { isRecord, type Json, parseJson } from '@/lib/base/json';
import type { Guest, GuestEvents } from '@/lib/sandbox/guest-pool';
import type { CodeLimits } from '@/lib/sandbox/limits';
import type { CodePlace, FromGuest, GuestFailure, LogLevel } from '@/lib/sandbox/protocol';
import { endingOf, fenceProcesses, spawnFenced } from '@/lib/sandbox/spawn-fenced';
import { countTasksOfUser, killMarked, marker } from '@/lib/sandbox/stray-processes';

export interface PythonGuestInput {
  readonly interpreter: string;
  /** The project's files, where it starts; and a folder to call home. */
  readonly root: string;
  readonly home: string;
  readonly limits: CodeLimits;
}

export interface PythonGuest extends Guest {
  /** Because of `reason`, which becomes that of its exit. */
  stop(reason?: string): void;
  /** Its process group and session; undefined when it could not start. */
  readonly pid: number | undefined;
}

/** What may come in on stdout and stderr behind Python's back (subprocesses, C code) before they are closed. */
const rawBytes = 256 * 1024;

/** A result is JSON text of which a character takes three bytes at most, with a few words around it. */
function maxLineBytes(limits: CodeLimits): number {
  return 3 * limits.resultLength + 64 * 1024;
}

/** Lines of both outputs, each with a last one that says that there are more. */
function mostLogs(limits: CodeLimits): number {
  return 2 * (limits.logLines + 2);
}

/** A Python process in a group of its own, with PATH and a home and nothing else of the environment. */
export function openPythonGuest(events: GuestEvents, input: PythonGuestInput): PythonGuest {
  const mark = marker();
  const runner = fileURLToPath(new URL('runner.py', import.meta.url));
  // The limit on processes counts all of the user's, and those outside cannot be seen from behind the fence.
  const tasks = fenceProcesses() > 0 && process.getuid?.() !== 0 ? countTasksOfUser() : undefined;
  const settings = JSON.stringify({ root: input.root, limits: input.limits, tasks });
  let isOver = false;
  let lastWords = '';
  let stopReason: string | undefined;
  const child = spawnFenced({
    command: input.interpreter,
    args: ['-I', '-B', '-X', 'utf8', runner, settings],
    cwd: input.root,
    env: {
      PATH: process.env.PATH,
      HOME: input.home,
      TMPDIR: input.home,
      LANG: 'C.UTF-8',
      // Without it every thread reserves 64 MB of the address space that is limited.
      MALLOC_ARENA_MAX: '2',
    },
    mark,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
  });
  const toChild = writable(child, 3);
  // A process that is gone cannot be written to; `exit` says so.
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
  captureRaw(child.stdout, 'info');
  captureRaw(child.stderr, 'warning');
  child.on('error', (error) => over(error.message));
  child.on('exit', (exitCode, exitSignal) => {
    const { code, signal } = endingOf(exitCode, exitSignal);
    const last = lastWords.trim().split('\n').at(-1) ?? '';
    const how = signal === null ? `exit code ${code}` : `signal ${signal}`;
    if (stopReason !== undefined) over(stopReason);
    else over(last === '' ? `${how}.` : `${how}: ${last.slice(0, 500)}`);
  });

  return {
    pid: child.pid,
    send(message) {
      if (message.type === 'call') logs = 0;
      if (!isOver) toChild?.write(`${JSON.stringify(message)}\n`);
    },
    stop(reason) {
      stopReason ??= reason;
      killAll();
    },
  };

  function takeLine(line: Uint8Array): void {
    const message = readMessage(Buffer.from(line.buffer, line.byteOffset, line.length).toString('utf8'));
    if (message === undefined) return;
    if (message.type !== 'log') {
      events.message(message);
      return;
    }
    // The runner counts too, but a project's code can write to the pipe without it.
    logs += 1;
    if (logs > mostLogs(input.limits)) return;
    events.message({ ...message, text: message.text.slice(0, 2 * input.limits.logLineLength) });
  }

  function over(reason: string): void {
    if (isOver) return;
    isOver = true;
    killAll();
    toChild?.destroy();
    // What it said last may still be in the pipe.
    setImmediate(() => events.exit(reason));
  }

  /** The group, at once, and with it all behind the fence. Without a fence then what left the group. */
  function killAll(): void {
    if (child.pid !== undefined) {
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {
        // Nobody is left in it, or the system has no groups.
        child.kill('SIGKILL');
      }
    }
    if (fenceProcesses() === 0) killMarked(mark);
  }

  function captureRaw(stream: Readable | null, level: LogLevel): void {
    let bytes = 0;
    let rest = '';
    stream?.setEncoding('utf8');
    stream?.on('error', () => {});
    stream?.on('data', (chunk: string) => {
      bytes += chunk.length;
      lastWords = (level === 'warning' ? lastWords + chunk : lastWords).slice(-2000);
      const lines = (rest + chunk).split('\n');
      rest = (lines.pop() ?? '').slice(-input.limits.logLineLength);
      const room = Math.max(0, input.limits.logLines - Math.floor((bytes - chunk.length) / 80));
      for (const line of lines.slice(0, room)) {
        events.message({ type: 'log', id: undefined, level, text: line.slice(0, input.limits.logLineLength) });
      }
      if (bytes <= rawBytes) return;
      const text = 'Too much output outside Python: it is closed.';
      events.message({ type: 'log', id: undefined, level: 'warning', text });
      stream.destroy();
    });
  }
}

function writable(child: ChildProcess, descriptor: number): Writable | undefined {
  const stream = child.stdio[descriptor];
  return stream && 'write' in stream ? stream : undefined;
}

function readable(child: ChildProcess, descriptor: number): Readable | undefined {
  const stream = child.stdio[descriptor];
  return stream && 'read' in stream ? stream : undefined;
}

/** A project's code can write anything to the pipe: what is no message is dropped. */
function readMessage(line: string): FromGuest | undefined {
  const message = parseJson(line);
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

function readFailure(value: Json | undefined): GuestFailure {
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
