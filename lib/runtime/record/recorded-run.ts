import type { InstancePath } from '@/lib/base/ids';
import type { CancelReason } from './cancel-reason';
import type { CreatedAgentRecord, EventOf, RunEvent } from './events';

/** What the log says about the run as a whole. */
export interface RecordedRun {
  readonly started: EventOf<'run.started'> | undefined;
  readonly finished: EventOf<'run.finished'> | undefined;
  /** Why the run was told to stop before the log ended. */
  readonly stopped: CancelReason | undefined;
  /** Texts that instructions include, by address. */
  readonly fetched: ReadonlyMap<string, string>;
  readonly artifacts: readonly EventOf<'artifact.saved'>[];
  /** Agents created in the run, in order. */
  readonly createdAgents: readonly CreatedAgentRecord[];
  timedOut(path: InstancePath): boolean;
  wasLogged(code: string, message: string, path: InstancePath | undefined): boolean;
}

export function readRun(log: readonly RunEvent[]): RecordedRun {
  const fetched = new Map<string, string>();
  const artifacts: EventOf<'artifact.saved'>[] = [];
  const createdAgents: CreatedAgentRecord[] = [];
  const timeouts = new Set<string>();
  const logged = new Set<string>();
  let started: EventOf<'run.started'> | undefined;
  let finished: EventOf<'run.finished'> | undefined;
  let stopped: CancelReason | undefined;

  for (const event of log) {
    switch (event.kind) {
      case 'run.started':
        started = event;
        break;
      case 'run.finished':
        finished = event;
        break;
      case 'url.fetched':
        fetched.set(event.url, event.text);
        break;
      case 'artifact.saved':
        artifacts.push(event);
        break;
      case 'agent.created':
        createdAgents.push(event.agent);
        break;
      case 'log':
        logged.add(logKey(event.code, event.message, event.path));
        if (event.code === 'agent_timeout' && event.path !== undefined) timeouts.add(event.path);
        else stopped ??= stopReason(event);
        break;
    }
  }

  return {
    started,
    finished,
    stopped,
    fetched,
    artifacts,
    createdAgents,
    timedOut: (path) => timeouts.has(path),
    wasLogged: (code, message, path) => logged.has(logKey(code, message, path)),
  };
}

function logKey(code: string, message: string, path: InstancePath | undefined): string {
  return `${code}\n${path ?? ''}\n${message}`;
}

/** Returns the reason of a stop. Only the runtime itself logs these codes without an instance. */
function stopReason(event: EventOf<'log'>): CancelReason | undefined {
  if (event.path !== undefined || event.serverName !== undefined) return undefined;
  switch (event.code) {
    case 'run_cancelled':
    case 'run_timeout':
    case 'max_tokens':
    case 'max_cost':
      return { kind: event.code };
    case 'over_budget':
      return { kind: 'over_budget', message: event.message };
    default:
      return undefined;
  }
}
