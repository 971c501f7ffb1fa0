import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import { withNumbers } from '@/lib/base/exact-json';
import { isRecord, type Json, type JsonObject, parseJson } from '@/lib/base/json';
import type { CodeLimits } from '@/lib/sandbox/host/limits';
import type { Sandbox, SandboxEvents } from '@/lib/sandbox/host/pooled-sandbox';
import type { CodePlace, ToSandbox } from '@/lib/sandbox/host/protocol';
import type { CompiledFile } from './compile';
import type { FromThread, ToThread } from './thread-protocol';

/** The compiled files of a run. A file is compiled before a call of it is sent. */
export interface Programs {
  filesOf(file: string): ReadonlyMap<string, CompiledFile>;
  placeOf(file: string, line: number, column: number): CodePlace | undefined;
}

/** JavaScript gets the nearest number for an integer that it cannot hold. */
function forThread(message: ToSandbox): ToThread {
  if (message.type === 'next')
    return { type: 'next', id: message.id, json: JSON.stringify(withNumbers(message.result)) };
  return message.type === 'call' ? { ...message, call: withNumbers(message.call) } : message;
}

/** Starts a thread with its own QuickJS, without environment variables or command-line options. */
export function openJsSandbox(events: SandboxEvents, programs: Programs, limits: CodeLimits): Sandbox {
  const waiting: ToThread[] = [];
  const loaded = new Set<string>();
  let worker: Worker | undefined;
  let isStopped = false;
  let received = 0;
  let sentFiles = 0;

  void start();
  return {
    send(message) {
      if (message.type === 'call' && !loaded.has(message.call.file)) {
        loaded.add(message.call.file);
        sentFiles += 1;
        post({ type: 'files', files: programs.filesOf(message.call.file) });
      }
      post(forThread(message));
    },
    stop() {
      isStopped = true;
      void worker?.terminate();
    },
  };

  function post(message: ToThread): void {
    if (worker === undefined) waiting.push(message);
    else worker.postMessage(message);
  }

  async function start(): Promise<void> {
    let reason = 'it was stopped.';
    let isReady = false;
    try {
      const code = await workerCode();
      if (isStopped) {
        events.exit(reason);
        return;
      }
      ({ worker, isReady } = openThread(code, limits));
    } catch (error) {
      events.exit(error instanceof Error ? error.message : String(error));
      return;
    }
    worker.on('message', receive);
    worker.on('error', (error) => {
      reason = error.message;
    });
    worker.on('exit', () => events.exit(reason));
    if (isReady) events.message({ type: 'ready' });
    for (const message of waiting.splice(0)) worker.postMessage(message);
  }

  function receive(message: FromThread): void {
    switch (message.type) {
      case 'ready':
      case 'spent':
      case 'busy':
      case 'log':
        events.message(message);
        return;
      case 'idle':
        received = message.received - sentFiles;
        events.message({ type: 'idle', received });
        return;
      case 'done':
        events.message({ type: 'done', id: message.id, value: jsonOf(message.json) });
        return;
      case 'next':
        events.message({ type: 'next', id: message.id, args: objectOf(message.json), bare: message.bare });
        return;
      case 'failed': {
        const { id, code } = message;
        const frames = framesOf(message.stack, programs);
        events.message({ type: 'failed', id, failure: { code, message: message.message, frames } });
      }
    }
  }
}

/** Reads lines such as `    at name (file:line:column)`, with positions in the compiled file. */
function framesOf(stack: string, programs: Programs): CodePlace[] {
  const frames: CodePlace[] = [];
  for (const text of stack.slice(0, longestStack).split('\n')) {
    const [, functionName, file = '', line, column] = stackLine.exec(text.slice(0, longestFrame)) ?? [];
    if (line === undefined) continue;
    const place = programs.placeOf(file, Number(line), Number(column ?? 1));
    if (place !== undefined) frames.push({ ...place, ...(functionName && { functionName }) });
    if (frames.length === 20) break;
  }
  return frames;
}

const stackLine = /^\s*at (.*?) ?\(([^()]*?):(\d+)(?::(\d+))?\)$/;
/** A longer stack is cut at this many characters, because the code of a project can write any stack. */
const longestStack = 40_000;
const longestFrame = 300;

let built: Promise<string> | undefined;

/**
 * Returns the thread's main module as one script, built once per process, because a thread does not inherit the TypeScript
 * loader.
 */
function workerCode(): Promise<string> {
  built ??= bundleWorker();
  return built;
}

async function bundleWorker(): Promise<string> {
  const result = await build({
    entryPoints: [fileURLToPath(new URL('worker.ts', import.meta.url))],
    bundle: true,
    write: false,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    logLevel: 'silent',
  });
  // A script given as text would look for packages in the working directory. This `require` looks from this file.
  const home = JSON.stringify(import.meta.url);
  return `(function (require) {${result.outputFiles[0]?.text}\n})(require('node:module').createRequire(${home}));`;
}

/** A thread that has started and has had no files and no call yet. It does not keep the process alive. */
interface Spare {
  readonly worker: Worker;
  readonly limits: string;
  isReady: boolean;
}

let keepsSpare = false;
let spare: Spare | undefined;
/** The next spare thread starts so long after one was taken, so that it does not delay the run that took it. */
const spareDelayMs = 50;

/**
 * Keeps a started thread for the next run from the first one on. A new thread takes a tenth of a second of processor time, and a run
 * that goes on after a suspension would wait for it each time.
 */
export function keepSpareThread(): void {
  keepsSpare = true;
}

/** True if a thread waits for the next run. */
export function hasSpareThread(): boolean {
  return spare?.isReady === true;
}

function openThread(code: string, limits: CodeLimits): Pick<Spare, 'worker' | 'isReady'> {
  const thread = takeSpare(limits) ?? { worker: newWorker(code, limits), isReady: false };
  if (keepsSpare) setTimeout(() => startSpare(code, limits), spareDelayMs).unref();
  return thread;
}

function takeSpare(limits: CodeLimits): Spare | undefined {
  if (spare?.limits !== JSON.stringify(limits)) return undefined;
  const taken = spare;
  spare = undefined;
  for (const name of ['message', 'error', 'exit']) taken.worker.removeAllListeners(name);
  taken.worker.ref();
  return taken;
}

function startSpare(code: string, limits: CodeLimits): void {
  if (spare !== undefined) return;
  const started: Spare = { worker: newWorker(code, limits), limits: JSON.stringify(limits), isReady: false };
  const gone = () => {
    if (spare === started) spare = undefined;
  };
  started.worker.once('message', () => {
    started.isReady = true;
  });
  started.worker.on('error', gone);
  started.worker.on('exit', gone);
  started.worker.unref();
  spare = started;
}

function newWorker(code: string, limits: CodeLimits): Worker {
  const worker = new Worker(code, {
    eval: true,
    workerData: limits,
    env: {},
    execArgv: [],
    // The output is piped and then ignored, because messages of the interpreter itself are not output of the project.
    stdout: true,
    stderr: true,
    name: 'callboard-code',
    resourceLimits: { maxOldGenerationSizeMb: 256, stackSizeMb: 16 },
  });
  worker.stdout.resume();
  worker.stderr.resume();
  return worker;
}

function jsonOf(json: string): Json {
  return parseJson(json) ?? null;
}

function objectOf(json: string): JsonObject {
  const value = jsonOf(json);
  return isJsonObject(value) ? value : {};
}

function isJsonObject(value: Json): value is JsonObject {
  return isRecord(value);
}
