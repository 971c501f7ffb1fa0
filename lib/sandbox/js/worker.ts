import { parentPort, workerData } from 'node:worker_threads';
import { newQuickJSWASMModule, newVariant, type QuickJSWASMModule, RELEASE_SYNC } from 'quickjs-emscripten';
import type { CodeLimits } from '@/lib/sandbox/host/limits';
import type { CompiledFile } from './compile';
import { createLimitedMemory } from './limited-memory';
import { type FreshContext, openContext, QuickJsCall } from './quickjs-call';
import type { FromThread, ToThread } from './thread-protocol';

/** The main module of the thread, which js-sandbox.ts starts. Code of the project runs here in QuickJS only. */
const port = parentPort;
if (port === null) throw new Error('This file is the main of a worker thread.');
const limits: CodeLimits = workerData;
const memory = createLimitedMemory(limits.memoryBytes);
const files = new Map<string, CompiledFile>();
const calls = new Map<number, QuickJsCall>();
let received = 0;
let spare: FreshContext | undefined;
let isSpent = false;

const say = (message: FromThread) => port.postMessage(message);

void newQuickJSWASMModule(newVariant(RELEASE_SYNC, { wasmMemory: memory.wasm })).then((quickjs) => {
  port.on('message', (message: ToThread) => receive(quickjs, message));
  say({ type: 'ready' });
  prepareContext(quickjs);
});

function takeContext(quickjs: QuickJSWASMModule): FreshContext {
  const taken = spare ?? openContext(quickjs, files, limits);
  spare = undefined;
  prepareContext(quickjs);
  return taken;
}

/** The timer fires after a call has computed, when no other message waits. */
function prepareContext(quickjs: QuickJSWASMModule): void {
  setTimeout(() => {
    if (!isSpent) spare ??= openContext(quickjs, files, limits);
  }, 0);
}

function receive(quickjs: QuickJSWASMModule, message: ToThread): void {
  received += 1;
  switch (message.type) {
    case 'files':
      for (const [file, compiled] of message.files) files.set(file, compiled);
      break;
    case 'call': {
      const { id, call } = message;
      const one = new QuickJsCall(takeContext(quickjs), files, call, limits, memory, {
        log: (level, text) => say({ type: 'log', id, level, text }),
        next: (json, bare) => say({ type: 'next', id, json, bare }),
        done(json) {
          over(id);
          say({ type: 'done', id, json });
        },
        failed(code, text, stack) {
          over(id);
          say({ type: 'failed', id, code, message: text, stack });
        },
        spent: retire,
        busy: () => say({ type: 'busy' }),
        idle: () => say({ type: 'idle', received }),
      });
      calls.set(id, one);
      one.start();
      break;
    }
    case 'next':
      calls.get(message.id)?.answer(message.json);
      break;
    case 'cancel':
      calls.get(message.id)?.cancel();
  }
  say({ type: 'idle', received });
}

function over(id: number): void {
  calls.delete(id);
  // WebAssembly memory never shrinks, so it is freed only when the thread ends.
  if (memory.hasGrown()) retire();
}

function retire(): void {
  if (isSpent) return;
  isSpent = true;
  say({ type: 'spent' });
}
