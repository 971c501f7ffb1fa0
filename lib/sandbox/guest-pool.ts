import { AsyncLocalStorage } from 'node:async_hooks';
import { setMaxListeners } from 'node:events';
import type { Json, JsonObject } from '@/lib/base/json';
import { type CallPlace, createCallPlaces, type PlaceLimits } from './call-places';
import type { FromGuest, GuestCall, GuestFailure, LogLevel, NextCall, ToGuest } from './protocol';
import { createStopwatch, type Stopwatch } from './stopwatch';

/** A thread or process that runs a project's code. `send` and `stop` do not throw; after its exit they do nothing. */
export interface Guest {
  send(message: ToGuest): void;
  /** Ends it and everything it started, at once. `exit` follows. */
  stop(): void;
}

export interface GuestEvents {
  message(message: FromGuest): void;
  /** Once, whatever the cause; `reason` completes "The … ended: ". */
  exit(reason: string): void;
}

export interface GuestPoolInput extends PlaceLimits {
  open(events: GuestEvents): Guest;
  readonly startMs: number;
  readonly callMs: number;
  /** A guest that computes longer than this without a word is stopped. Absent: it is not watched. */
  readonly busyMs?: number;
  /** What a message calls it: "thread", "Python process". */
  readonly noun: string;
}

export interface CallControl {
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
  readonly next?: (args: JsonObject, bare: boolean) => Promise<Json>;
  log(level: LogLevel, text: string): void;
}

export type GuestOutcome =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly failure: GuestFailure };

export interface GuestPool {
  /** Does not throw. Settles as soon as the call is done, its time is up or the signal aborts; may have to wait before it begins. */
  call(call: GuestCall, control: CallControl): Promise<GuestOutcome>;
  /** Stops every guest; calls under way fail as stopped. */
  close(): void;
}

interface Member {
  guest: Guest;
  /** Also when its caller has its answer but it has not ended. */
  active: ActiveCall | undefined;
  isReady: boolean;
  /** Met a limit: gets no further calls, and goes when its call ends. */
  isSpent: boolean;
  sent: number;
  readonly busy: Stopwatch | undefined;
  readonly starting: Stopwatch;
}

interface AskedCall {
  readonly id: number;
  readonly call: GuestCall;
  readonly control: CallControl;
  readonly depth: number;
  readonly place: CallPlace | undefined;
  resolve(outcome: GuestOutcome): void;
}

interface ActiveCall extends AskedCall {
  readonly clock: Stopwatch;
  /** Answers the caller; only the first time counts. */
  settle(outcome: GuestOutcome): void;
  nextCalls: number;
}

/** Between asking a call to end and ending its guest. */
const graceMs = 500;
const keptIdle = 8;

/** How many hooks in code, in whatever language, wait for what is running now. */
const hooksAround = new AsyncLocalStorage<number>();

/** Each call has a guest to itself while it lasts, so that what ends the guest ends nothing else. */
export function createGuestPool(input: GuestPoolInput): GuestPool {
  const members = new Set<Member>();
  /** The one used last is used first, so that what it has loaded is used again. */
  const idle: Member[] = [];
  const places = createCallPlaces(input);
  let lastId = 0;
  let isClosed = false;

  return {
    async call(call, control) {
      // A run's signal has as many listeners as calls under way.
      setMaxListeners(0, control.signal);
      const depth = hooksAround.getStore() ?? 0;
      // Files are loaded one at a time, and calls that have a place wait for it: it needs none.
      const isPlaced = call.kind !== 'check';
      const place = isPlaced
        ? await places.enter({ isHook: call.kind === 'around', depth }, control.signal)
        : undefined;
      if (control.signal.aborted || isClosed || (isPlaced && place === undefined)) {
        place?.leave();
        return { ok: false, failure: stopped };
      }
      lastId += 1;
      const id = lastId;
      return new Promise((resolve) => begin(idle.pop() ?? openMember(), { id, call, control, depth, place, resolve }));
    },
    close() {
      isClosed = true;
      places.close();
      for (const member of [...members]) {
        settle(member, { ok: false, failure: stopped });
        member.guest.stop();
      }
    },
  };

  function begin(member: Member, asked: AskedCall): void {
    const { id, call, control } = asked;
    const limitMs = control.timeoutMs ?? input.callMs;
    const onAbort = () => giveUp(member, id, stopped);
    control.signal.addEventListener('abort', onAbort, { once: true });
    const clock = createStopwatch(limitMs, () =>
      giveUp(member, id, { code: 'timeout', message: `It took longer than ${seconds(limitMs)}.` }),
    );
    let isSettled = false;
    member.active = {
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
    if (member.isReady) clock.start();
    send(member, { type: 'call', id, call });
  }

  function openMember(): Member {
    const events: GuestEvents = {
      message: (message) => receive(member, message),
      exit: (reason) => {
        members.delete(member);
        const at = idle.indexOf(member);
        if (at >= 0) idle.splice(at, 1);
        member.busy?.stop();
        member.starting.stop();
        settle(member, { ok: false, failure: { code: 'died', message: `The ${input.noun} ended: ${reason}` } });
      },
    };
    const { busyMs } = input;
    const tooBusy: GuestFailure = { code: 'timeout', message: `It computed for longer than ${seconds(busyMs ?? 0)}.` };
    const tooLate: GuestFailure = {
      code: 'died',
      message: `The ${input.noun} did not start within ${seconds(input.startMs)}.`,
    };
    const member: Member = {
      guest: { send() {}, stop() {} },
      active: undefined,
      isReady: false,
      isSpent: false,
      sent: 0,
      busy: busyMs === undefined ? undefined : createStopwatch(busyMs, () => stopMember(member, tooBusy)),
      starting: createStopwatch(input.startMs, () => stopMember(member, tooLate)),
    };
    members.add(member);
    member.starting.start();
    member.guest = input.open(events);
    return member;
  }

  function send(member: Member, message: ToGuest): void {
    member.sent += 1;
    if (member.isReady) member.busy?.restart();
    member.guest.send(message);
  }

  function receive(member: Member, message: FromGuest): void {
    switch (message.type) {
      case 'ready':
        member.isReady = true;
        member.starting.stop();
        if (member.sent > 0) member.busy?.restart();
        member.active?.clock.start();
        return;
      case 'spent':
        member.isSpent = true;
        return;
      case 'busy':
        member.busy?.restart();
        return;
      case 'idle':
        if (message.received >= member.sent) member.busy?.stop();
        return;
      case 'log':
        if (message.id === undefined || message.id === member.active?.id) {
          member.active?.control.log(message.level, message.text);
        }
        return;
    }
    const { active } = member;
    // What a guest says of another call is of one that is over.
    if (active === undefined || message.id !== active.id) return;
    switch (message.type) {
      case 'done':
        settle(member, { ok: true, value: message.value });
        return;
      case 'failed':
        if (message.failure.code === 'limit' || message.failure.code === 'timeout') member.isSpent = true;
        settle(member, { ok: false, failure: message.failure });
        return;
      case 'next':
        void runNext(member, active, message);
    }
  }

  async function runNext(member: Member, active: ActiveCall, { args, bare }: NextCall): Promise<void> {
    const { next } = active.control;
    if (next === undefined) return;
    active.nextCalls += 1;
    // The guest refuses a second call itself; this holds whatever the guest has become.
    if (active.nextCalls > 1) {
      giveUp(member, active.id, calledTwice);
      return;
    }
    active.clock.pause();
    active.place?.rest();
    const result = await hooksAround.run(active.depth + 1, () => next(args, bare));
    if (member.active !== active) return;
    active.place?.resume();
    active.clock.start();
    send(member, { type: 'next', id: active.id, result });
  }

  /** Answers the caller now and gives the code a moment to end by itself. */
  function giveUp(member: Member, id: number, failure: GuestFailure): void {
    const { active } = member;
    if (active?.id !== id) return;
    active.settle({ ok: false, failure });
    if (failure.code !== 'stopped') member.isSpent = true;
    send(member, { type: 'cancel', id });
    createStopwatch(graceMs, () => {
      if (member.active === active) stopMember(member, failure);
    }).start();
  }

  function stopMember(member: Member, failure: GuestFailure): void {
    member.isSpent = true;
    settle(member, { ok: false, failure });
    member.guest.stop();
  }

  function settle(member: Member, outcome: GuestOutcome): void {
    const { active } = member;
    if (active === undefined) return;
    member.active = undefined;
    active.settle(outcome);
    if (members.has(member)) {
      if (member.isSpent || isClosed || idle.length >= keptIdle) member.guest.stop();
      else idle.push(member);
    }
    // Last: who begins now may take this guest.
    active.place?.leave();
  }
}

const stopped: GuestFailure = { code: 'stopped', message: 'It was stopped.' };
const calledTwice: GuestFailure = {
  code: 'contract',
  message: 'It called next more than once. A hook may call it once.',
};

function seconds(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${Math.round(ms / 100) / 10} s`;
}
