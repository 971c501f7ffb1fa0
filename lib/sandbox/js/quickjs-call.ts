import type { QuickJSContext, QuickJSHandle, QuickJSRuntime, QuickJSWASMModule } from 'quickjs-emscripten';
import { parseJson } from '@/lib/base/json';
import type { CodeLimits } from '@/lib/sandbox/limits';
import type { GuestCall, LogLevel } from '@/lib/sandbox/protocol';
import type { CompiledFile } from './compile';
import type { LimitedMemory } from './limited-memory';
import { prelude } from './prelude';

/** Runs inside the thread: one call, in a runtime and context of its own. */
export interface QuickJsCall {
  start(): void;
  answer(json: string): void;
  cancel(): void;
}

/** What a call says. After `done` or `failed` nothing more comes, and its context is gone. */
export interface CallEvents {
  log(level: LogLevel, text: string): void;
  next(json: string, bare: boolean): void;
  done(json: string): void;
  /** `stack` is QuickJS's, in positions of the compiled files. */
  failed(code: 'raised' | 'load' | 'contract' | 'timeout' | 'limit' | 'stopped', message: string, stack: string): void;
  /** The interpreter is broken: nothing more may run in this thread. Comes before the ending. */
  spent(): void;
  /** A timer is about to run code. */
  busy(): void;
  /** The timer's code has run. */
  idle(): void;
}

/** Jobs between two looks at the clock. */
const jobsAtOnce = 500;
const maxTimers = 100;

/** A context with the prelude in it, made before it is needed: making one takes longer than most calls. */
export interface FreshContext {
  readonly runtime: QuickJSRuntime;
  readonly vm: QuickJSContext;
  readonly api: QuickJSHandle;
  /** Filled by the call that takes it. */
  readonly host: HostFunctions;
}

interface HostFunctions {
  log?(level: string, text: string): void;
  next?(json: string, bare: string): void;
  done?(json: string): void;
  failed?(json: string): void;
  setTimer?(id: string, ms: string): void;
}

/** `files` may grow later; they are read when a call imports them. */
export function openContext(
  quickjs: QuickJSWASMModule,
  files: ReadonlyMap<string, CompiledFile>,
  limits: CodeLimits,
): FreshContext {
  const runtime = quickjs.newRuntime();
  runtime.setMaxStackSize(limits.stackBytes);
  runtime.setModuleLoader(
    (file) => files.get(file)?.code ?? { error: new Error(`'${file}' is not a file of the project.`) },
    (from, specifier) =>
      files.get(from)?.imports.get(specifier) ?? { error: new Error(`'${specifier}' cannot be imported.`) },
  );
  const vm = runtime.newContext();
  const host: HostFunctions = {};
  const handle = vm.newObject();
  for (const name of ['log', 'next', 'done', 'failed', 'setTimer'] as const) {
    const fn = vm.newFunction(name, (first, second) => {
      host[name]?.(first ? vm.getString(first) : '', second ? vm.getString(second) : '');
    });
    vm.setProp(handle, name, fn);
    fn.dispose();
  }
  const made = vm.unwrapResult(vm.evalCode(prelude, 'callboard:prelude'));
  const api = vm.unwrapResult(vm.callFunction(made, vm.undefined, handle));
  made.dispose();
  handle.dispose();
  return { runtime, vm, api, host };
}

export function createQuickJsCall(
  context: FreshContext,
  files: ReadonlyMap<string, CompiledFile>,
  request: GuestCall,
  limits: CodeLimits,
  memory: LimitedMemory,
  events: CallEvents,
): QuickJsCall {
  let runtime: QuickJSRuntime | undefined = context.runtime;
  let vm: QuickJSContext | undefined = context.vm;
  let api: QuickJSHandle | undefined = context.api;
  let cpuLeftMs = limits.cpuMs;
  let sliceStart = 0;
  let isInterrupted = false;
  let ending: (() => void) | undefined;
  let waitsForNext = false;
  const timers = new Map<number, NodeJS.Timeout>();

  return {
    start() {
      slice(() => {
        listen();
        context.runtime.setInterruptHandler(() => {
          isInterrupted ||= performance.now() - sliceStart > cpuLeftMs;
          return isInterrupted;
        });
        const loaded = context.vm.evalCode(files.get(request.file)?.code ?? '', request.file, { type: 'module' });
        if (loaded.error) {
          const { message, stack } = readError(context.vm, loaded.error);
          fail('load', message, stack);
          return;
        }
        invoke('start', [loaded.value, context.vm.newString(JSON.stringify(request))]);
      });
    },
    answer(json) {
      waitsForNext = false;
      slice(() => {
        if (vm !== undefined) invoke('answer', [vm.newString(json)]);
      });
    },
    cancel() {
      end(() => events.failed('stopped', 'It was stopped.', ''));
      finish();
    },
  };

  /** Computes until nothing is left to do but wait; then ends the call, or leaves it to its `next` and timers. */
  function slice(work: () => void): void {
    if (ending !== undefined) return;
    sliceStart = performance.now();
    try {
      work();
      while (ending === undefined && runtime?.hasPendingJob()) {
        const ran = runtime.executePendingJobs(jobsAtOnce);
        if (ran.error) ran.error.dispose();
        else ran.dispose();
        if (performance.now() - sliceStart > cpuLeftMs) isInterrupted = true;
        if (isInterrupted) break;
      }
    } catch (error) {
      // QuickJS itself gave up (its own stack, its memory): the context can no longer be trusted.
      fail('limit', `The interpreter gave up: ${error instanceof Error ? error.message : error}.`, '');
    }
    cpuLeftMs -= performance.now() - sliceStart;
    if (isInterrupted) end(() => events.failed('timeout', cpuMessage(limits.cpuMs), ''));
    if (!waitsForNext && timers.size === 0) fail('raised', 'It waits for a promise that nothing will ever settle.', '');
    finish();
  }

  /** The first ending counts. */
  function end(how: () => void): void {
    ending ??= how;
  }

  /** Code that cannot get memory fails in many ways, some of them without a word: it is told as what it is. */
  function fail(code: 'raised' | 'load' | 'contract' | 'limit', message: string, stack: string): void {
    if (isInterrupted) return;
    const isMemory = memory.isExhausted() || message === outOfMemory;
    end(() =>
      isMemory ? events.failed('limit', memoryMessage(limits.memoryBytes), '') : events.failed(code, message, stack),
    );
  }

  function finish(): void {
    if (ending === undefined || runtime === undefined) {
      if (ending !== undefined) ending();
      return;
    }
    for (const timer of timers.values()) clearTimeout(timer);
    timers.clear();
    const [tell, oldVm, oldApi, oldRuntime] = [ending, vm, api, runtime];
    runtime = undefined;
    vm = undefined;
    api = undefined;
    ending = () => {};
    try {
      oldApi?.dispose();
      oldVm?.dispose();
      oldRuntime.dispose();
    } catch {
      // Code that ran out of memory may leave objects that QuickJS cannot free; it then gives up as a whole.
      events.spent();
    }
    tell();
  }

  function invoke(name: 'start' | 'answer' | 'fire', args: QuickJSHandle[]): void {
    if (vm === undefined || api === undefined) return;
    const method = vm.getProp(api, name);
    const called = vm.callFunction(method, vm.undefined, ...args);
    method.dispose();
    for (const arg of args) arg.dispose();
    if (called.error) {
      const { message, stack } = readError(vm, called.error);
      fail('raised', message, stack);
    } else called.value.dispose();
  }

  function listen(): void {
    let lines = 0;
    Object.assign(context.host, {
      log(level, text) {
        lines += 1;
        if (lines > limits.logLines + 1) return;
        if (lines > limits.logLines) events.log('warning', `More than ${limits.logLines} lines: the rest is left out.`);
        else events.log(levelOf(level), cut(text, limits.logLineLength));
      },
      // An interrupt comes out of an async function as a rejection, which code may catch: what it says after that is void.
      next(json, bare) {
        if (isInterrupted) return;
        if (json.length > limits.resultLength) {
          end(() => events.failed('limit', sizeMessage('The arguments', json.length, limits.resultLength), ''));
          return;
        }
        waitsForNext = true;
        events.next(json, bare === 'bare');
      },
      done(json) {
        if (isInterrupted) return;
        const tooLong = json.length > limits.resultLength;
        end(() =>
          tooLong
            ? events.failed('limit', sizeMessage('The result', json.length, limits.resultLength), '')
            : events.done(json),
        );
      },
      failed(json) {
        const { code, message, stack } = readFailure(json);
        fail(code, message, stack);
      },
      setTimer(idText, msText) {
        const id = Number(idText);
        const ms = Math.min(Math.max(0, Number(msText) || 0), limits.callMs);
        if (timers.size >= maxTimers) {
          end(() => events.failed('limit', `It waits for more than ${maxTimers} timers at once.`, ''));
          return;
        }
        const timer = setTimeout(() => {
          timers.delete(id);
          events.busy();
          slice(() => {
            if (vm !== undefined) invoke('fire', [vm.newNumber(id)]);
          });
          events.idle();
        }, ms);
        timers.set(id, timer);
      },
    } satisfies HostFunctions);
  }
}

function readError(vm: QuickJSContext, error: QuickJSHandle): { message: string; stack: string } {
  const read = (name: string): string => {
    const handle = vm.getProp(error, name);
    const text = vm.typeof(handle) === 'string' ? vm.getString(handle) : '';
    handle.dispose();
    return text;
  };
  const name = read('name');
  const message = name === '' ? vm.getString(error) : `${name}: ${read('message')}`;
  const stack = read('stack');
  error.dispose();
  return { message, stack };
}

function readFailure(json: string): { code: 'raised' | 'load' | 'contract'; message: string; stack: string } {
  const value = parseJson(json);
  const object = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  const { code, message, stack } = { code: '', message: '', stack: '', ...object };
  return {
    code: code === 'load' || code === 'contract' ? code : 'raised',
    message: String(message),
    stack: String(stack),
  };
}

function levelOf(text: string): LogLevel {
  return text === 'debug' || text === 'warning' || text === 'error' ? text : 'info';
}

export function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}… (${text.length - length} characters more)` : text;
}

const outOfMemory = 'InternalError: out of memory';

function memoryMessage(bytes: number): string {
  return `It used more than ${Math.round(bytes / 1024 / 1024)} MB of memory.`;
}

function cpuMessage(cpuMs: number): string {
  return `It computed for longer than ${cpuMs / 1000} s.`;
}

function sizeMessage(what: string, length: number, limit: number): string {
  return `${what} has ${length} characters as JSON; the limit is ${limit}.`;
}
