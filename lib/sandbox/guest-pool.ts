import { setMaxListeners } from 'node:events';
import type { Json, JsonObject } from '@/lib/base/json';
import type { FromGuest, GuestCall, GuestFailure, LogLevel, ToGuest } from './protocol';
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

export interface GuestPoolInput {
  open(events: GuestEvents): Guest;
  /** Calls beyond this many guests share one. Until then each call has one to itself, so that what ends it ends only it. */
  readonly maxGuests: number;
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
  readonly next?: (args: JsonObject) => Promise<Json>;
  log(level: LogLevel, text: string): void;
}

export type GuestOutcome =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly failure: GuestFailure };

export interface GuestPool {
  /** Does not throw. Settles as soon as the call is done, its time is up or the signal aborts. */
  call(call: GuestCall, control: CallControl): Promise<GuestOutcome>;
  /** Stops every guest; calls under way fail as stopped. */
  close(): void;
}

interface Member {
  guest: Guest;
  /** Those whose caller has its answer but which have not ended are still here. */
  readonly calls: Map<number, ActiveCall>;
  isReady: boolean;
  /** Met a limit: gets no further calls, and goes when it is empty. */
  isSpent: boolean;
  sent: number;
  readonly busy: Stopwatch | undefined;
  readonly starting: Stopwatch;
}

interface ActiveCall {
  readonly control: CallControl;
  readonly clock: Stopwatch;
  settle(outcome: GuestOutcome): void;
  nextCalls: number;
}

/** Between asking a call to end and ending its guest. */
const graceMs = 500;
const keptIdle = 4;

export function createGuestPool(input: GuestPoolInput): GuestPool {
  const members = new Set<Member>();
  /** The one used last is used first, so that what it has loaded is used again. */
  const idle: Member[] = [];
  let lastId = 0;
  let isClosed = false;

  return {
    call(call, control) {
      if (control.signal.aborted || isClosed) return Promise.resolve({ ok: false, failure: stopped });
      lastId += 1;
      const id = lastId;
      return new Promise((resolve) => begin(takeMember(), id, call, control, resolve));
    },
    close() {
      isClosed = true;
      for (const member of [...members]) {
        for (const id of [...member.calls.keys()]) settle(member, id, { ok: false, failure: stopped });
        member.guest.stop();
      }
    },
  };

  function begin(
    member: Member,
    id: number,
    call: GuestCall,
    control: CallControl,
    resolve: (outcome: GuestOutcome) => void,
  ): void {
    const limitMs = control.timeoutMs ?? input.callMs;
    const onAbort = () => giveUp(member, id, stopped);
    // A run's signal has as many listeners as calls under way.
    setMaxListeners(0, control.signal);
    control.signal.addEventListener('abort', onAbort, { once: true });
    const clock = createStopwatch(limitMs, () =>
      giveUp(member, id, { code: 'timeout', message: `It took longer than ${seconds(limitMs)}.` }),
    );
    let isSettled = false;
    member.calls.set(id, {
      control,
      clock,
      nextCalls: 0,
      settle(outcome) {
        if (isSettled) return;
        isSettled = true;
        clock.stop();
        control.signal.removeEventListener('abort', onAbort);
        resolve(outcome);
      },
    });
    if (member.isReady) clock.start();
    send(member, { type: 'call', id, call });
  }

  function takeMember(): Member {
    const free = idle.pop();
    if (free !== undefined) return free;
    if (members.size < input.maxGuests) return openMember();
    let least: Member | undefined;
    for (const member of members) {
      if (!member.isSpent && (least === undefined || member.calls.size < least.calls.size)) least = member;
    }
    return least ?? openMember();
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
        const failure: GuestFailure = { code: 'died', message: `The ${input.noun} ended: ${reason}` };
        for (const id of [...member.calls.keys()]) settle(member, id, { ok: false, failure });
      },
    };
    const member: Member = {
      guest: { send() {}, stop() {} },
      calls: new Map(),
      isReady: false,
      isSpent: false,
      sent: 0,
      busy:
        input.busyMs === undefined
          ? undefined
          : createStopwatch(input.busyMs, () =>
              stopMember(member, {
                code: 'timeout',
                message: `It computed for longer than ${seconds(input.busyMs ?? 0)}.`,
              }),
            ),
      starting: createStopwatch(input.startMs, () =>
        stopMember(member, {
          code: 'died',
          message: `The ${input.noun} did not start within ${seconds(input.startMs)}.`,
        }),
      ),
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
        for (const active of member.calls.values()) active.clock.start();
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
      case 'done':
        settle(member, message.id, { ok: true, value: message.value });
        return;
      case 'failed':
        if (message.failure.code === 'limit' || message.failure.code === 'timeout') member.isSpent = true;
        settle(member, message.id, { ok: false, failure: message.failure });
        return;
      case 'log': {
        const active = message.id === undefined ? undefined : member.calls.get(message.id);
        const listeners = active === undefined ? member.calls.values() : [active];
        for (const one of listeners) one.control.log(message.level, message.text);
        return;
      }
      case 'next':
        void runNext(member, message.id, message.args);
    }
  }

  async function runNext(member: Member, id: number, args: JsonObject): Promise<void> {
    const active = member.calls.get(id);
    if (active?.control.next === undefined) return;
    active.nextCalls += 1;
    // The guest refuses a second call itself; this holds whatever the guest has become.
    if (active.nextCalls > 1) {
      giveUp(member, id, calledTwice);
      return;
    }
    active.clock.pause();
    const result = await active.control.next(args);
    if (!member.calls.has(id)) return;
    active.clock.start();
    send(member, { type: 'next', id, result });
  }

  /** Answers the caller now and gives the code a moment to end by itself. */
  function giveUp(member: Member, id: number, failure: GuestFailure): void {
    const active = member.calls.get(id);
    if (active === undefined) return;
    active.settle({ ok: false, failure });
    if (failure.code !== 'stopped') member.isSpent = true;
    send(member, { type: 'cancel', id });
    const grace = createStopwatch(graceMs, () => {
      if (!member.calls.has(id)) return;
      stopMember(member, {
        code: 'died',
        message: `The ${input.noun} was ended because another call in it would not stop.`,
      });
    });
    grace.start();
  }

  function stopMember(member: Member, failure: GuestFailure): void {
    for (const id of [...member.calls.keys()]) settle(member, id, { ok: false, failure }, 'keep');
    member.isSpent = true;
    member.guest.stop();
  }

  function settle(member: Member, id: number, outcome: GuestOutcome, then: 'release' | 'keep' = 'release'): void {
    const active = member.calls.get(id);
    if (active === undefined) return;
    member.calls.delete(id);
    active.settle(outcome);
    if (then === 'keep' || member.calls.size > 0 || !members.has(member)) return;
    if (member.isSpent || isClosed || idle.length >= keptIdle) member.guest.stop();
    else idle.push(member);
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
