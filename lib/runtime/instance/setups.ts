import type { InstancePath } from '@/lib/base/ids';
import type { EventSink } from '@/lib/runtime/record/event-sink';
import type { FailedServer, RunError, SetupKind } from '@/lib/runtime/record/events';
import type { Journal } from '@/lib/runtime/record/journal';
import { noteServer } from '@/lib/runtime/record/recorded-instances';
import { stepKey } from '@/lib/runtime/record/step-key';
import type { Scope } from '@/lib/runtime/scope';

/** The error of a setup for which its instance stopped waiting. */
export const notWaitedFor: RunError = { code: 'cancelled', message: 'The instance stopped waiting for it.' };

/** Ends a setup. Later calls do nothing. */
type EndSetup = (error?: RunError) => void;

/** Records the setups that instances wait for, and which servers did not start. */
export class Setups {
  private readonly events: EventSink;
  private readonly journal: Journal;
  private readonly counts = new Map<InstancePath, number>();
  private readonly failed: Map<string, string>;

  constructor(events: EventSink, journal: Journal) {
    this.events = events;
    this.journal = journal;
    this.failed = new Map(journal.failedServers);
  }

  begin(path: InstancePath, what: SetupKind, name: string): EndSetup {
    const n = (this.counts.get(path) ?? this.journal.setupCount(path)) + 1;
    this.counts.set(path, n);
    const step = stepKey(path, 's', n);
    let isOpen = true;
    this.events.append({ kind: 'setup.started', path, step, what, name });
    return (error) => {
      if (!isOpen) return;
      isOpen = false;
      if (what === 'server') noteServer(this.failed, name, error);
      this.events.append({ kind: 'setup.ended', path, step, error });
    };
  }

  /** Returns the failed servers in the order in which they failed; `undefined` when there are none. */
  failedServers(): readonly FailedServer[] | undefined {
    return this.failed.size === 0 ? undefined : [...this.failed].map(([name, message]) => ({ name, message }));
  }
}

/**
 * The instances of one card that wait for its servers. The servers start once for all of them, and each instance records a
 * setup for every server that starts while it waits:
 *
 *   server  ├──── starting ────┤
 *   kid[1]  ├──────────────────┤
 *   kid[2]        ├────────────┤        it came later
 *   kid[3]        ├───┤                 it was stopped: `cancelled`
 */
export class WaitingRoom {
  private readonly setups: Setups;
  private readonly scope: Scope;
  private readonly waiters = new Set<InstancePath>();
  private readonly starts = new Set<Start>();

  constructor(setups: Setups, scope: Scope) {
    this.setups = setups;
    this.scope = scope;
  }

  /** Call when a server begins to start. Returns a function to call when it has started, or with the reason if it failed. */
  starting(server: string): (problem: string | undefined) => void {
    const start: Start = { server, bars: new Map() };
    this.starts.add(start);
    for (const path of this.waiters) this.open(start, path);
    return (problem) => {
      this.starts.delete(start);
      // When the run is stopping, the server did not fail: its start was cancelled.
      const failure = this.scope.reason ? notWaitedFor : { code: 'server_unavailable', message: problem ?? '' };
      for (const end of start.bars.values()) end(problem === undefined ? undefined : failure);
    };
  }

  /** Call when an instance begins to wait. Returns a function to call when it no longer waits. */
  join(path: InstancePath): () => void {
    this.waiters.add(path);
    for (const start of this.starts) this.open(start, path);
    return () => {
      this.waiters.delete(path);
      for (const start of this.starts) {
        start.bars.get(path)?.(notWaitedFor);
        start.bars.delete(path);
      }
    };
  }

  private open({ server, bars }: Start, path: InstancePath): void {
    bars.set(path, this.setups.begin(path, 'server', server));
  }
}

interface Start {
  readonly server: string;
  /** Holds the function that ends each instance's setup. */
  readonly bars: Map<InstancePath, EndSetup>;
}
