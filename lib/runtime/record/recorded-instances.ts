import type { InstancePath, StepKey } from '@/lib/base/ids';
import type { JsonObject } from '@/lib/base/json';
import type { EventOf, RunError, RunEvent } from './events';

/** What the log says about instances: their start and end, their state, their setups. */
export interface RecordedInstances {
  isQueued(path: InstancePath): boolean;
  isStarted(path: InstancePath): boolean;
  /** Returns the agent of an instance that has not ended. */
  agentOf(path: InstancePath): string | undefined;
  /** Returns the input the instance started with. It is kept because hooks that run again might produce another one. */
  inputOf(path: InstancePath): string | undefined;
  /** Returns how many messages the instance was given before its own. */
  historyCount(path: InstancePath): number | undefined;
  instanceEnd(path: InstancePath): EventOf<'instance.ended'> | undefined;
  /** Returns what the call of this step wrote to its caller's state. */
  stateChange(step: StepKey): EventOf<'state.changed'> | undefined;
  /** Returns everything that was committed to the state of an instance. */
  writtenBy(path: InstancePath): JsonObject;
  /** Returns the tool groups that the instance has activated. */
  activatedIn(path: InstancePath): readonly string[];
  /** Returns how many setups of the instance have started. */
  setupCount(path: InstancePath): number;
  /** Servers whose latest setup failed, with the reason. */
  readonly failedServers: ReadonlyMap<string, string>;
}

export function readInstances(log: readonly RunEvent[]): RecordedInstances {
  const agentNames = new Map<string, string>();
  const inputs = new Map<string, string>();
  const historyCounts = new Map<string, number>();
  const ends = new Map<string, EventOf<'instance.ended'>>();
  const stateChanges = new Map<string, EventOf<'state.changed'>>();
  const written = new Map<string, Map<string, JsonObject>>();
  const activated = new Map<string, readonly string[]>();
  const setups = new Map<string, string | undefined>();
  const setupCounts = new Map<string, number>();
  const failedServers = new Map<string, string>();

  for (const event of log) {
    switch (event.kind) {
      case 'instance.queued':
        agentNames.set(event.path, event.agentName);
        break;
      case 'instance.started':
        inputs.set(event.path, event.input);
        if (event.historyCount !== undefined) historyCounts.set(event.path, event.historyCount);
        break;
      case 'instance.ended':
        ends.set(event.path, event);
        break;
      case 'state.changed': {
        stateChanges.set(event.step, event);
        if (event.outcome !== 'committed') break;
        // A step that ran again after a crash wrote again, and its last write counts.
        const steps = written.get(event.path) ?? new Map<string, JsonObject>();
        steps.delete(event.step);
        written.set(event.path, steps.set(event.step, event.delta));
        break;
      }
      case 'groups.activated':
        activated.set(event.path, [...(activated.get(event.path) ?? []), ...event.groups]);
        break;
      case 'setup.started':
        setupCounts.set(event.path, (setupCounts.get(event.path) ?? 0) + 1);
        setups.set(event.step, event.what === 'server' ? event.name : undefined);
        break;
      case 'setup.ended':
        noteServer(failedServers, setups.get(event.step), event.error);
        break;
    }
  }

  return {
    isQueued: (path) => agentNames.has(path),
    isStarted: (path) => inputs.has(path),
    agentOf: (path) => (ends.has(path) ? undefined : agentNames.get(path)),
    inputOf: (path) => inputs.get(path),
    historyCount: (path) => historyCounts.get(path),
    instanceEnd: (path) => ends.get(path),
    stateChange: (step) => stateChanges.get(step),
    writtenBy: (path) => Object.fromEntries([...(written.get(path)?.values() ?? [])].flatMap(Object.entries)),
    activatedIn: (path) => activated.get(path) ?? [],
    setupCount: (path) => setupCounts.get(path) ?? 0,
    failedServers,
  };
}

/** Keeps the servers whose latest start failed. `server` is undefined when the setup was not of a server. */
export function noteServer(failed: Map<string, string>, server: string | undefined, error: RunError | undefined): void {
  if (server === undefined || error?.code === 'cancelled') return;
  if (error) failed.set(server, error.message);
  else failed.delete(server);
}
