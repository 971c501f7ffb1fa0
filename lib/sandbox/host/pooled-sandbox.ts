import type { Json, JsonObject } from '@/lib/base/json';
import type { CallPermit } from './call-permits';
import type { FromSandbox, LogLevel, NextCall, SandboxCall, SandboxFailure, ToSandbox } from './protocol';
import { createStopwatch, type Stopwatch } from './stopwatch';

/** A thread or process that runs code of a project. `send` and `stop` do not throw; after its exit they do nothing. */
export interface Sandbox {
  send(message: ToSandbox): void;
  /** Kills the sandbox and everything it started. `exit` follows. */
  stop(): void;
}

export interface SandboxEvents {
  message(message: FromSandbox): void;
  /** Called exactly once. `reason` completes the sentence "The … ended: ". */
  exit(reason: string): void;
}

export interface SandboxOptions {
  open(events: SandboxEvents): Sandbox;
  readonly startMs: number;
  readonly callMs: number;
  /** A sandbox that computes for longer without a message is stopped. `undefined` means no limit. */
  readonly busyMs?: number;
  /** The name in error messages: "thread" or "Python process". */
  readonly noun: string;
}

export interface CallControl {
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
  readonly next?: (args: JsonObject, bare: boolean) => Promise<Json>;
  log(level: LogLevel, text: string): void;
}

export type SandboxOutcome =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly failure: SandboxFailure };

export interface PooledCall {
  readonly id: number;
  readonly call: SandboxCall;
  readonly control: CallControl;
  readonly permit: CallPermit | undefined;
  /** Runs `work` as something that this call waits for. */
  inHook<T>(work: () => T): T;
  resolve(outcome: SandboxOutcome): void;
}

export interface PoolEvents {
  /** Called when the sandbox can take another call. Returns false if the pool does not need it. */
  free(): boolean;
  /** Called when the thread or process has ended. */
  ended(): void;
}

interface ActiveCall extends PooledCall {
  readonly clock: Stopwatch;
  /** Answers the caller. Only the first outcome counts. */
  settle(outcome: SandboxOutcome): void;
  nextCalls: number;
}

/** A call that was asked to end has this time before its sandbox is killed. */
const graceMs = 500;

export const stopped: SandboxFailure = { code: 'stopped', message: 'It was stopped.' };
const calledTwice: SandboxFailure = {
  code: 'contract',
  message: 'It called next more than once. A hook may call it once.',
};

/**
 * One sandbox of a pool. It runs at most one call at a time:
 *
 *   open ─▶ idle ─begin─▶ active ─done, failed─▶ idle …            within its limits
 *                            └─limit, abort─▶ cancel ─grace─▶ kill  the caller has its answer at once
 */
export class PooledSandbox {
  /** Set until the code has ended, even if the caller has its answer already. */
  private active: ActiveCall | undefined;
  private sandbox: Sandbox = { send() {}, stop() {} };
  private isReady = false;
  /** True after it exceeded a limit. It then gets no further calls, and is stopped when its call ends. */
  private isSpent = false;
  private isEnded = false;
  private sent = 0;
  private readonly busy: Stopwatch | undefined;
  private readonly starting: Stopwatch;

  constructor(
    private readonly options: SandboxOptions,
    private readonly pool: PoolEvents,
  ) {
    const { busyMs, startMs, noun } = options;
    const tooBusy: SandboxFailure = {
      code: 'timeout',
      message: `It computed for longer than ${seconds(busyMs ?? 0)}.`,
    };
    const tooLate: SandboxFailure = { code: 'died', message: `The ${noun} did not start within ${seconds(startMs)}.` };
    this.busy = busyMs === undefined ? undefined : createStopwatch(busyMs, () => this.stop(tooBusy));
    this.starting = createStopwatch(startMs, () => this.stop(tooLate));
  }

  open(): void {
    this.starting.start();
    this.sandbox = this.options.open({
      message: (message) => this.receive(message),
      exit: (reason) => this.exited(reason),
    });
  }

  begin(asked: PooledCall): void {
    const { id, call, control } = asked;
    const limitMs = control.timeoutMs ?? this.options.callMs;
    const onAbort = () => this.giveUp(id, stopped);
    control.signal.addEventListener('abort', onAbort, { once: true });
    const tooLong: SandboxFailure = { code: 'timeout', message: `It took longer than ${seconds(limitMs)}.` };
    const clock = createStopwatch(limitMs, () => this.giveUp(id, tooLong));
    let isSettled = false;
    this.active = {
      ...asked,
      clock,
      nextCalls: 0,
      settle(outcome) {
        if (isSettled) return;
        isSettled = true;
        clock.stop();
        control.signal.removeEventListener('abort', onAbort);
        asked.resolve(outcome);
      },
    };
    if (this.isReady) clock.start();
    this.send({ type: 'call', id, call });
  }

  /** Kills the sandbox; its call fails with `failure`. */
  stop(failure: SandboxFailure): void {
    this.isSpent = true;
    this.settle({ ok: false, failure });
    this.sandbox.stop();
  }

  private exited(reason: string): void {
    this.isEnded = true;
    this.pool.ended();
    this.busy?.stop();
    this.starting.stop();
    this.settle({ ok: false, failure: { code: 'died', message: `The ${this.options.noun} ended: ${reason}` } });
  }

  private send(message: ToSandbox): void {
    this.sent += 1;
    if (this.isReady) this.busy?.restart();
    this.sandbox.send(message);
  }

  private receive(message: FromSandbox): void {
    switch (message.type) {
      case 'ready':
        this.isReady = true;
        this.starting.stop();
        if (this.sent > 0) this.busy?.restart();
        this.active?.clock.start();
        return;
      case 'spent':
        this.isSpent = true;
        return;
      case 'busy':
        this.busy?.restart();
        return;
      case 'idle':
        if (message.received >= this.sent) this.busy?.stop();
        return;
      case 'log':
        if (message.id === undefined || message.id === this.active?.id) {
          this.active?.control.log(message.level, message.text);
        }
        return;
    }
    const { active } = this;
    // The message is about a call that is over, so it is ignored.
    if (active === undefined || message.id !== active.id) return;
    switch (message.type) {
      case 'done':
        this.settle({ ok: true, value: message.value });
        return;
      case 'failed':
        if (message.failure.code === 'limit' || message.failure.code === 'timeout') this.isSpent = true;
        this.settle({ ok: false, failure: message.failure });
        return;
      case 'next':
        void this.runNext(active, message);
    }
  }

  private async runNext(active: ActiveCall, { args, bare }: NextCall): Promise<void> {
    const { next } = active.control;
    if (next === undefined) return;
    active.nextCalls += 1;
    // The sandbox refuses a second call too, but the project's code may have changed the sandbox.
    if (active.nextCalls > 1) {
      this.giveUp(active.id, calledTwice);
      return;
    }
    active.clock.pause();
    active.permit?.suspend();
    const result = await active.inHook(() => next(args, bare));
    if (this.active !== active) return;
    active.permit?.resume();
    active.clock.start();
    this.send({ type: 'next', id: active.id, result });
  }

  /** Answers the caller now and gives the code `graceMs` to end by itself. */
  private giveUp(id: number, failure: SandboxFailure): void {
    const { active } = this;
    if (active?.id !== id) return;
    active.settle({ ok: false, failure });
    if (failure.code !== 'stopped') this.isSpent = true;
    this.send({ type: 'cancel', id });
    createStopwatch(graceMs, () => {
      if (this.active === active) this.stop(failure);
    }).start();
  }

  private settle(outcome: SandboxOutcome): void {
    const { active } = this;
    if (active === undefined) return;
    this.active = undefined;
    active.settle(outcome);
    if (!this.isEnded && (this.isSpent || !this.pool.free())) this.sandbox.stop();
    // The permit is released last, because the next call that gets it may take this sandbox.
    active.permit?.release();
  }
}

function seconds(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${Math.round(ms / 100) / 10} s`;
}
