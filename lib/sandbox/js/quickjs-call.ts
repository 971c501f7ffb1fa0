import type { QuickJSContext, QuickJSHandle, QuickJSRuntime, QuickJSWASMModule } from 'quickjs-emscripten';
import { parseJson } from '@/lib/base/json';
import type { CodeLimits } from '@/lib/sandbox/host/limits';
import type { LogLevel, SandboxCall } from '@/lib/sandbox/host/protocol';
import type { CompiledFile } from './compile';
import type { LimitedMemory } from './limited-memory';
import { prelude } from './prelude';

/** The messages of a call. `done` or `failed` is the last one, and its context is disposed of before. */
export interface CallEvents {
  log(level: LogLevel, text: string): void;
  next(json: string, bare: boolean): void;
  done(json: string): void;
  /** Called when the call failed. `stack` is written by QuickJS, with positions in the compiled files. */
  failed(code: 'raised' | 'load' | 'contract' | 'timeout' | 'limit' | 'stopped', message: string, stack: string): void;
  /** Called before the ending if the interpreter is broken; this thread may then run no further calls. */
  spent(): void;
  /** Called before a timer runs code. */
  busy(): void;
  /** Called after a timer has run code. */
  idle(): void;
}

/** The clock is read after this many jobs. */
const jobsAtOnce = 500;
const maxTimers = 100;

/** A context with the prelude loaded. It is made before the call, because making one takes longer than most calls. */
export interface FreshContext {
  readonly runtime: QuickJSRuntime;
  readonly vm: QuickJSContext;
  readonly api: QuickJSHandle;
  /** Empty until a call takes the context. */
  readonly host: HostFunctions;
}

interface HostFunctions {
  log?(level: string, text: string): void;
  next?(json: string, bare: string): void;
  done?(json: string): void;
  failed?(json: string): void;
  setTimer?(id: string, ms: string): void;
}

/** Makes a context. `files` may get more entries later, because they are read when a call imports them. */
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

/**
 * Runs one call inside the thread, in a runtime and context of its own. The code runs in slices: each ends when the code
 * waits for `next` or a timer, or has ended.
 */
export class QuickJsCall {
  /** `undefined` once the call has ended. */
  private live: FreshContext | undefined;
  private cpuLeftMs: number;
  private sliceStart = 0;
  private isInterrupted = false;
  private ending: (() => void) | undefined;
  private waitsForNext = false;
  private lines = 0;
  private readonly timers = new Map<number, NodeJS.Timeout>();

  constructor(
    context: FreshContext,
    private readonly files: ReadonlyMap<string, CompiledFile>,
    private readonly request: SandboxCall,
    private readonly limits: CodeLimits,
    private readonly memory: LimitedMemory,
    private readonly events: CallEvents,
  ) {
    this.live = context;
    this.cpuLeftMs = limits.cpuMs;
  }

  start(): void {
    this.slice(({ runtime, vm, host }) => {
      Object.assign(host, this.hostFunctions());
      runtime.setInterruptHandler(() => {
        this.isInterrupted ||= performance.now() - this.sliceStart > this.cpuLeftMs;
        return this.isInterrupted;
      });
      const loaded = vm.evalCode(this.files.get(this.request.file)?.code ?? '', this.request.file, { type: 'module' });
      if (loaded.error) {
        const { message, stack } = readError(vm, loaded.error);
        this.fail('load', message, stack);
        return;
      }
      this.invoke('start', [loaded.value, vm.newString(JSON.stringify(this.request))]);
    });
  }

  answer(json: string): void {
    this.waitsForNext = false;
    this.slice(({ vm }) => this.invoke('answer', [vm.newString(json)]));
  }

  cancel(): void {
    this.end(() => this.events.failed('stopped', 'It was stopped.', ''));
    this.finish();
  }

  /** Computes until the code waits or has ended. Ends the call unless `next` or a timer will continue it. */
  private slice(work: (live: FreshContext) => void): void {
    const { live } = this;
    if (this.ending !== undefined || live === undefined) return;
    this.sliceStart = performance.now();
    try {
      work(live);
      while (this.ending === undefined && live.runtime.hasPendingJob()) {
        const ran = live.runtime.executePendingJobs(jobsAtOnce);
        if (ran.error) ran.error.dispose();
        else ran.dispose();
        if (performance.now() - this.sliceStart > this.cpuLeftMs) this.isInterrupted = true;
        if (this.isInterrupted) break;
      }
    } catch (error) {
      // QuickJS itself failed (its own stack or memory), so the context can no longer be trusted.
      this.fail('limit', `The interpreter failed: ${error instanceof Error ? error.message : error}.`, '');
    }
    this.cpuLeftMs -= performance.now() - this.sliceStart;
    if (this.isInterrupted) this.end(() => this.events.failed('timeout', cpuMessage(this.limits.cpuMs), ''));
    if (!this.waitsForNext && this.timers.size === 0)
      this.fail('raised', 'It waits for a promise that nothing will ever settle.', '');
    this.finish();
  }

  /** Only the first ending counts. */
  private end(how: () => void): void {
    this.ending ??= how;
  }

  /**
   * Reports a failure. Code without memory fails in many ways, some without a message; all are reported as the memory
   * limit.
   */
  private fail(code: 'raised' | 'load' | 'contract' | 'limit', message: string, stack: string): void {
    if (this.isInterrupted) return;
    const isMemory = this.memory.isExhausted() || message === outOfMemory;
    this.end(() =>
      isMemory
        ? this.events.failed('limit', memoryMessage(this.limits.memoryBytes), '')
        : this.events.failed(code, message, stack),
    );
  }

  private finish(): void {
    if (this.ending === undefined) return;
    if (this.live === undefined) {
      this.ending();
      return;
    }
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.timers.clear();
    const { ending, live } = this;
    this.live = undefined;
    this.ending = () => {};
    try {
      live.api.dispose();
      live.vm.dispose();
      live.runtime.dispose();
    } catch {
      // Code that ran out of memory may leave objects that QuickJS cannot free, and QuickJS then aborts as a whole.
      this.events.spent();
    }
    ending();
  }

  private invoke(name: 'start' | 'answer' | 'fire', args: QuickJSHandle[]): void {
    if (this.live === undefined) return;
    const { vm, api } = this.live;
    const method = vm.getProp(api, name);
    const called = vm.callFunction(method, vm.undefined, ...args);
    method.dispose();
    for (const arg of args) arg.dispose();
    if (called.error) {
      const { message, stack } = readError(vm, called.error);
      this.fail('raised', message, stack);
    } else called.value.dispose();
  }

  /**
   * Returns the functions that the code can call. An interrupt becomes a rejection in an async function, and the code may
   * catch it, so calls after an interrupt are ignored.
   */
  private hostFunctions(): Required<HostFunctions> {
    const { limits, events } = this;
    return {
      log: (level, text) => {
        this.lines += 1;
        if (this.lines > limits.logLines + 1) return;
        if (this.lines <= limits.logLines) events.log(levelOf(level), cut(text, limits.logLineLength));
        else events.log('warning', `More than ${limits.logLines} lines: the rest is left out.`);
      },
      next: (json, bare) => {
        if (this.isInterrupted) return;
        if (json.length > limits.resultLength) {
          this.end(() => events.failed('limit', sizeMessage('The arguments', json.length, limits.resultLength), ''));
          return;
        }
        this.waitsForNext = true;
        events.next(json, bare === 'bare');
      },
      done: (json) => {
        if (this.isInterrupted) return;
        this.end(() =>
          json.length > limits.resultLength
            ? events.failed('limit', sizeMessage('The result', json.length, limits.resultLength), '')
            : events.done(json),
        );
      },
      failed: (json) => {
        const { code, message, stack } = readFailure(json);
        this.fail(code, message, stack);
      },
      setTimer: (id, ms) => this.setTimer(Number(id), Number(ms) || 0),
    };
  }

  private setTimer(id: number, ms: number): void {
    const { limits, events, timers } = this;
    if (timers.size >= maxTimers) {
      this.end(() => events.failed('limit', `It waits for more than ${maxTimers} timers at once.`, ''));
      return;
    }
    const timer = setTimeout(
      () => {
        timers.delete(id);
        events.busy();
        this.slice(({ vm }) => this.invoke('fire', [vm.newNumber(id)]));
        events.idle();
      },
      Math.min(Math.max(0, ms), limits.callMs),
    );
    timers.set(id, timer);
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
