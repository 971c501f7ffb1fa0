import type { ChildProcess } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ShellPort } from '@/lib/runtime/ports';
import type { ToolErrorCode, ToolResult } from '@/lib/runtime/record/messages';
import { afterOutput } from '@/lib/sandbox/fence/after-output';
import { spawnFenced } from '@/lib/sandbox/fence/spawn-fenced';
import { marker } from '@/lib/sandbox/fence/stray-processes';

export interface ShellLimits {
  /** The longest time of a command, 60 s by default. A call may set a shorter one. */
  readonly timeoutMs: number;
  /** The most output, stdout and stderr together, 64 KiB by default. The rest is dropped with a note. */
  readonly outputBytes: number;
}

const defaultLimits: ShellLimits = { timeoutMs: 60_000, outputBytes: 64 * 1024 };
const keptVariables = ['PATH', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR'];

export interface Shell extends ShellPort {
  /** Kills running commands and removes the working copy. */
  close(): Promise<void>;
}

/**
 * Creates a shell that runs commands with `/bin/sh` in a copy of `folder`. The first command creates the copy, and all
 * commands of the run share it. Each command has its own process group, which is killed after the time limit, when the call
 * is aborted, and when the command has ended. The environment has only PATH, HOME (the working copy) and the locale. An
 * exit code other than 0 is an error result with the output.
 */
export function createShell(input: {
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly limits?: Partial<ShellLimits>;
}): Shell {
  const limits = { ...defaultLimits, ...input.limits };
  const closing = new AbortController();
  let copy: Promise<string> | undefined;

  async function workingCopy(): Promise<string> {
    const target = await mkdtemp(path.join(tmpdir(), 'callboard-shell-'));
    await cp(input.folder, target, { recursive: true });
    return target;
  }

  return {
    async execute(command, { signal, timeoutMs }) {
      copy ??= workingCopy();
      let cwd: string;
      try {
        cwd = await copy;
      } catch (error) {
        copy = undefined;
        const reason = error instanceof Error ? error.message : String(error);
        return errorResult('TOOL_FAILED', `Error: The working copy of the project cannot be made: ${reason}`);
      }
      return run(command, {
        cwd,
        env: environment(cwd, input.env),
        signal: AbortSignal.any([signal, closing.signal]),
        limits,
        timeoutMs: Math.min(timeoutMs ?? Number.POSITIVE_INFINITY, limits.timeoutMs),
      });
    },
    async close() {
      closing.abort();
      const made = await copy?.catch(() => undefined);
      if (made !== undefined) await rm(made, { recursive: true, force: true });
    },
  };
}

function environment(
  home: string,
  from: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const env: Record<string, string> = { HOME: home };
  for (const name of keptVariables) {
    const value = from[name];
    if (value !== undefined) env[name] = value;
  }
  return env;
}

interface RunOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly limits: ShellLimits;
  readonly timeoutMs: number;
}

function run(command: string, { cwd, env, signal, limits, timeoutMs }: RunOptions): Promise<ToolResult> {
  if (signal.aborted) return Promise.resolve(errorResult('AGENT_CANCELLED', 'Error: The call was cancelled.'));
  return new Promise((resolve) => {
    const child = spawnFenced({
      command: '/bin/sh',
      args: ['-c', command],
      cwd,
      env,
      mark: marker(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = collect(child, limits.outputBytes);
    let ended: 'timeout' | 'cancelled' | undefined;
    const stop = (why: 'timeout' | 'cancelled') => {
      ended ??= why;
      killGroup(child);
    };
    const timer = setTimeout(() => stop('timeout'), timeoutMs);
    const cancel = () => stop('cancelled');
    signal.addEventListener('abort', cancel, { once: true });
    const finish = (result: ToolResult) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
      child.stdout?.destroy();
      child.stderr?.destroy();
      resolve(result);
    };
    child.once('error', (error) =>
      finish(errorResult('TOOL_FAILED', `Error: The shell cannot start: ${error.message}`)),
    );
    // What a command leaves running keeps the pipes open, so it is killed first.
    afterOutput(child, {
      onExit: () => killGroup(child),
      onRead: (code, killedBy) => finish(outcome(code, killedBy, ended, output(), timeoutMs)),
    });
  });
}

function outcome(
  code: number | null,
  killedBy: NodeJS.Signals | null,
  ended: 'timeout' | 'cancelled' | undefined,
  output: string,
  timeoutMs: number,
): ToolResult {
  const text = output === '' ? '(no output)' : output;
  if (ended === 'cancelled') return errorResult('AGENT_CANCELLED', 'Error: The call was cancelled.');
  if (ended === 'timeout') {
    return errorResult('TOOL_TIMEOUT', `${text}\nError: The command was killed after ${timeoutMs} ms.`);
  }
  if (code === 0) return { content: [{ type: 'text', text }], isError: false };
  const how = killedBy === null ? `exit code ${code}` : `signal ${killedBy}`;
  return errorResult('TOOL_FAILED', `${text}\nError: The command ended with ${how}.`);
}

function errorResult(errorCode: ToolErrorCode, message: string): ToolResult {
  return { content: [{ type: 'text', text: message }], isError: true, errorCode };
}

/** Collects stdout and stderr. Excess output is read and dropped, so that the command does not block. */
function collect(child: ChildProcess, maxBytes: number): () => string {
  const chunks: Buffer[] = [];
  let kept = 0;
  let total = 0;
  const take = (chunk: Buffer) => {
    total += chunk.length;
    const room = maxBytes - kept;
    if (room <= 0) return;
    const part = chunk.length > room ? chunk.subarray(0, room) : chunk;
    chunks.push(part);
    kept += part.length;
  };
  child.stdout?.on('data', take);
  child.stderr?.on('data', take);
  return () => {
    const text = new TextDecoder().decode(Buffer.concat(chunks));
    return total > kept ? `${text}\n[cut: first ${kept} of ${total} bytes]` : text.replace(/\n$/, '');
  };
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The group has ended already.
  }
}
