import { parentPort, workerData } from 'node:worker_threads';
import { getQuickJS, type QuickJSWASMModule } from 'quickjs-emscripten';
import type { CodeLimits } from '@/lib/sandbox/limits';
import type { CompiledFile } from './compile';
import { createQuickJsCall, type FreshContext, openContext, type QuickJsCall } from './quickjs-call';
import type { FromThread, ToThread } from './thread-protocol';

/** The thread's main: nothing of the project runs outside QuickJS here. Started by js-guest.ts. */
const port = parentPort;
if (port === null) throw new Error('This file is the main of a worker thread.');
const limits: CodeLimits = workerData;
const files = new Map<string, CompiledFile>();
const calls = new Map<number, QuickJsCall>();
let received = 0;
let spare: FreshContext | undefined;
let isSpent = false;

const say = (message: FromThread) => port.postMessage(message);

void getQuickJS().then((quickjs) => {
  port.on('message', (message: ToThread) => receive(quickjs, message));
  say({ type: 'ready' });
});

function takeContext(quickjs: QuickJSWASMModule): FreshContext {
  const taken = spare ?? openContext(quickjs, files, limits);
  spare = undefined;
  // When the call has been answered, and nothing else is waiting.
  setTimeout(() => {
    if (!isSpent) spare ??= openContext(quickjs, files, limits);
  }, 0);
  return taken;
}

function receive(quickjs: QuickJSWASMModule, message: ToThread): void {
  received += 1;
  switch (message.type) {
    case 'files':
      for (const [file, compiled] of message.files) files.set(file, compiled);
      break;
    case 'call': {
      const { id, call } = message;
      const one = createQuickJsCall(takeContext(quickjs), files, call, limits, {
        log: (level, text) => say({ type: 'log', id, level, text }),
        next: (json) => say({ type: 'next', id, json }),
        done(json) {
          calls.delete(id);
          say({ type: 'done', id, json });
        },
        failed(code, text, stack) {
          calls.delete(id);
          say({ type: 'failed', id, code, message: text, stack });
        },
        spent() {
          isSpent = true;
          say({ type: 'spent' });
        },
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
