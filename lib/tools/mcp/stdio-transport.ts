import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { ByteLines } from '@/lib/base/byte-lines';
import { exactJson } from '@/lib/base/exact-json';
import { isRecord } from '@/lib/base/json';
import { afterOutput } from '@/lib/sandbox/fence/after-output';
import { endingOf, spawnFenced } from '@/lib/sandbox/fence/spawn-fenced';
import { marker } from '@/lib/sandbox/fence/stray-processes';
import { markedNumbers } from './exact-messages';
import { isTooManyValues, maxMessageBytes, tooLarge, tooManyValues } from './message-limits';
import { readMessage } from './read-message';

/** A line of stderr has at most this many bytes. A longer one is split. */
const maxStderrBytes = 64 * 1024;
/** The connection is closed when the server leaves this many bytes of answers unread. */
const maxUnreadBytes = 16 * 1024 * 1024;
const graceMs = 1_000;

export interface StdioOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Receives a line of the server's stderr, or a line of its stdout that is not a message. */
  onOutput(line: string, from: 'stderr' | 'stdout'): void;
  /** Called when the process has started. */
  onStarted?(): void;
  /** Called for an answer that has no id or cannot be read. `how` ends a sentence that begins with `it answered`. */
  onStray?(how: string): void;
}

/** The running process groups. They are killed when the worker exits. */
const groups = new Set<number>();
process.once('exit', () => {
  for (const pid of groups) killGroup(pid, 'SIGKILL');
});

/**
 * MCP over the pipes of a child process. Replaces the SDK's transport, which copies its whole buffer for every chunk (a result
 * of 20 MB takes seconds) and does not end processes that a wrapper such as `npx` has started.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Says how the process ended, such as `exited with code 3` or `was killed by SIGSEGV`. */
  ended: string | undefined;
  /** Says why the connection was closed, as the end of a sentence that begins with the server's name. */
  fault: string | undefined;

  private process: ChildProcess | undefined;
  private closed = false;
  private readonly options: StdioOptions;

  constructor(options: StdioOptions) {
    this.options = options;
  }

  get pid(): number | undefined {
    return this.process?.pid;
  }

  async start(): Promise<void> {
    const { command, args, env, cwd } = this.options;
    // The folder is checked here, because the system would report a missing command instead.
    if (!(await isFolder(cwd))) {
      this.fault = `cannot work in the folder '${path.basename(cwd)}', because it does not exist`;
      throw new Error(`There is no folder ${cwd}.`);
    }
    // The process gets a process group of its own, so that `close` reaches all its processes. The marker lets a later
    // worker find servers of a killed one.
    const child = spawnFenced({ command, args, env, cwd, mark: marker(), stdio: 'pipe' });
    this.process = child;
    for (const stream of [child.stdin, child.stdout, child.stderr]) {
      stream?.on('error', (error) => this.onerror?.(error));
    }
    const stdout = new ByteLines(maxMessageBytes);
    child.stdout?.on('data', (chunk: Buffer) => {
      if (!stdout.feed(chunk, (line) => this.takeLine(line))) this.fail(tooLarge);
    });
    const stderr = new ByteLines(maxStderrBytes);
    const takeError = (line: Uint8Array) => this.options.onOutput(textOf(line), 'stderr');
    child.stderr?.on('data', (chunk: Buffer) => {
      if (!stderr.feed(chunk, takeError)) takeError(chunk);
    });
    afterOutput(child, {
      onExit: (exitCode, exitSignal) => {
        const { code, signal } = endingOf(exitCode, exitSignal);
        this.ended = signal === null ? `exited with code ${code}` : `was killed by ${signal}`;
        if (child.pid !== undefined) groups.delete(child.pid);
      },
      onRead: () => this.finish(),
    });
    await once(child, 'spawn');
    if (child.pid !== undefined) groups.add(child.pid);
    this.options.onStarted?.();
    child.on('error', (error) => this.onerror?.(error));
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.process?.stdin;
    if (this.closed || !stdin?.writable) throw new Error('The server is not running.');
    const isAnswer = !('method' in message);
    if (isAnswer && stdin.writableLength > maxUnreadBytes) {
      this.fail('does not read what it is sent');
      throw new Error('The server does not read what it is sent.');
    }
    // The write is not awaited, because the calls of runs limit the number of requests, and the check above limits answers.
    stdin.write(`${exactJson(message)}\n`);
  }

  /** Closes stdin. Sends SIGTERM after a second and SIGKILL after another one. */
  async close(): Promise<void> {
    const child = this.process;
    this.finish();
    if (child?.pid === undefined || this.ended !== undefined) return;
    const { pid } = child;
    const exit = once(child, 'exit');
    child.stdin?.end();
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      if (await within(exit, graceMs)) break;
      killGroup(pid, signal);
    }
    // The whole group is killed, because processes that the command started may outlive it.
    killGroup(pid, 'SIGKILL');
    groups.delete(pid);
    child.stdout?.destroy();
    child.stderr?.destroy();
  }

  private takeLine(line: Uint8Array): void {
    if (this.closed || line.length === 0) return;
    const text = textOf(line);
    if (isTooManyValues(text)) {
      this.fail(tooManyValues);
      return;
    }
    const { messages, rest } = messagesIn(text);
    if (rest !== '') this.options.onOutput(rest, 'stdout');
    const stray = strayIn(rest);
    if (stray !== undefined) this.options.onStray?.(stray);
    for (const message of messages) this.take(message);
  }

  private take(message: JSONRPCMessage): void {
    // The SDK delivers notifications asynchronously, so a pending one goes first: an answer must not overtake earlier
    // progress.
    if ('method' in message) this.onmessage?.(message);
    else queueMicrotask(() => this.onmessage?.(message));
  }

  private fail(fault: string): void {
    this.fault ??= fault;
    // Stops reading, because the process may write until it has ended.
    this.process?.stdout?.destroy();
    void this.close();
  }

  private finish(): void {
    if (this.closed) return;
    this.closed = true;
    this.onclose?.();
  }
}

/**
 * Reads the messages of a line: one, the list of a batch (MCP 2025-03-26), or one behind text that was printed without the end of its
 * line. `rest` is what is no message.
 */
function messagesIn(text: string): { readonly messages: readonly JSONRPCMessage[]; readonly rest: string } {
  const value = jsonIn(text);
  if (value !== undefined) {
    const read = (Array.isArray(value) ? value : [value]).map(readMessage);
    const messages = read.filter((message) => message !== undefined);
    return { messages, rest: messages.length === read.length && read.length > 0 ? '' : text };
  }
  const start = text.indexOf('{"jsonrpc"');
  const message = start > 0 ? readMessage(jsonIn(text.slice(start))) : undefined;
  return message === undefined ? { messages: [], rest: text } : { messages: [message], rest: text.slice(0, start) };
}

/** Says what is wrong with an answer in a line that is no message; `undefined` if there is no answer in it. */
function strayIn(text: string): string | undefined {
  const value = jsonIn(text);
  for (const one of Array.isArray(value) ? value : [value]) {
    // A log line in JSON may have a field `error` too.
    if (isRecord(one) && one.jsonrpc === '2.0' && !('method' in one) && ('result' in one || 'error' in one)) {
      return 'without an id';
    }
  }
  return value === undefined && /^\s*\{\s*"(?:jsonrpc|id|result)"/.test(text) && text.includes('"jsonrpc"')
    ? 'with JSON that cannot be read'
    : undefined;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(markedNumbers(text));
  } catch {
    return undefined;
  }
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
}

async function within(event: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const done = await Promise.race([event.then(() => true), late]);
  clearTimeout(timer);
  return done;
}

function killGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch {
    // The group has ended already.
  }
}

async function isFolder(where: string): Promise<boolean> {
  const found = await stat(where).catch(() => undefined);
  return found?.isDirectory() ?? false;
}
