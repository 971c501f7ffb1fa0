import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import { isRecord, type Json, type JsonObject, parseJson } from '@/lib/base/json';
import type { Guest, GuestEvents } from '@/lib/sandbox/guest-pool';
import type { CodeLimits } from '@/lib/sandbox/limits';
import type { CodePlace } from '@/lib/sandbox/protocol';
import type { CompiledFile } from './compile';
import type { FromThread, ToThread } from './thread-protocol';

/** What the run's files compile to, made before a call of one is sent. */
export interface Programs {
  filesOf(file: string): ReadonlyMap<string, CompiledFile>;
  placeOf(file: string, line: number, column: number): CodePlace | undefined;
}

/** A thread with a QuickJS of its own. It gets no environment and no command-line options. */
export function openJsGuest(events: GuestEvents, programs: Programs, limits: CodeLimits): Guest {
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
      if (message.type === 'next') post({ type: 'next', id: message.id, json: JSON.stringify(message.result) });
      else post(message);
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
    try {
      const code = await workerCode();
      if (isStopped) {
        events.exit(reason);
        return;
      }
      worker = new Worker(code, {
        eval: true,
        workerData: limits,
        env: {},
        execArgv: [],
        // The interpreter's last words, which are not the project's.
        stdout: true,
        stderr: true,
        name: 'callboard-code',
        resourceLimits: { maxOldGenerationSizeMb: 256, stackSizeMb: 16 },
      });
    } catch (error) {
      events.exit(error instanceof Error ? error.message : String(error));
      return;
    }
    worker.stdout.resume();
    worker.stderr.resume();
    worker.on('message', receive);
    worker.on('error', (error) => {
      reason = error.message;
    });
    worker.on('exit', () => events.exit(reason));
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
        const frames = framesOf(message.stack);
        events.message({ type: 'failed', id, failure: { code, message: message.message, frames } });
      }
    }
  }

  /** `    at name (file:line:column)`, in positions of the compiled file. */
  function framesOf(stack: string): CodePlace[] {
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
}

const stackLine = /^\s*at (.*?) ?\(([^()]*?):(\d+)(?::(\d+))?\)$/;
/** Characters; a stack is what code in a graph says it is. */
const longestStack = 40_000;
const longestFrame = 300;

let built: Promise<string> | undefined;

/** The thread's main as one script, made once per process: a thread does not inherit the loader that runs TypeScript. */
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
  // A script that is given as text finds packages from the working directory; this one from here.
  const home = JSON.stringify(import.meta.url);
  return `(function (require) {${result.outputFiles[0]?.text}\n})(require('node:module').createRequire(${home}));`;
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
