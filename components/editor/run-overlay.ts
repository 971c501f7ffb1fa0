import { createStore } from 'zustand/vanilla';
import { isRecord } from '@/lib/base/json';

/** What a run being shown does to an agent's node. Never part of the document. */
export interface AgentActivity {
  /** Instances that have started and not ended. */
  readonly live: number;
  readonly queued: number;
  readonly done: number;
  readonly failed: number;
}

type InstanceState = 'queued' | 'live' | 'done' | 'failed';

export interface RunOverlay {
  readonly runId: string | undefined;
  /** `running` until `run.finished` tells how it ended. */
  readonly status: string | undefined;
  readonly agents: ReadonlyMap<string, AgentActivity>;
  readonly instances: ReadonlyMap<string, { readonly agent: string; readonly state: InstanceState }>;
  readonly lastSeq: number;
}

export const emptyOverlay: RunOverlay = {
  runId: undefined,
  status: undefined,
  agents: new Map(),
  instances: new Map(),
  lastSeq: 0,
};

export type OverlayStore = ReturnType<typeof createOverlayStore>;

export function createOverlayStore() {
  return createStore<RunOverlay>(() => emptyOverlay);
}

export function startOverlay(runId: string): RunOverlay {
  return { ...emptyOverlay, runId, status: 'running' };
}

/** Folds events as they arrive, whole or slim. Events already seen (a stream that was resumed) change nothing. */
export function foldOverlay(overlay: RunOverlay, events: readonly unknown[]): RunOverlay {
  const instances = new Map(overlay.instances);
  const touched = new Set<string>();
  let { status, lastSeq } = overlay;
  for (const event of events) {
    if (!isRecord(event) || typeof event.seq !== 'number' || event.seq <= lastSeq) continue;
    lastSeq = event.seq;
    const path = typeof event.path === 'string' ? event.path : undefined;
    const known = path === undefined ? undefined : instances.get(path);
    switch (event.kind) {
      case 'instance.queued':
        if (path !== undefined && typeof event.agentName === 'string') {
          instances.set(path, { agent: event.agentName, state: 'queued' });
          touched.add(event.agentName);
        }
        break;
      case 'instance.started':
      case 'instance.ended':
        if (path !== undefined && known !== undefined) {
          const ended = event.status === 'completed' ? 'done' : 'failed';
          instances.set(path, { agent: known.agent, state: event.kind === 'instance.started' ? 'live' : ended });
          touched.add(known.agent);
        }
        break;
      case 'run.finished':
        status = typeof event.status === 'string' ? event.status : 'completed';
        break;
    }
  }
  if (lastSeq === overlay.lastSeq) return overlay;
  const agents = new Map(overlay.agents);
  for (const agent of touched) agents.set(agent, countInstances(agent, instances));
  return { ...overlay, status, agents, instances, lastSeq };
}

function countInstances(agent: string, instances: RunOverlay['instances']): AgentActivity {
  const count = { live: 0, queued: 0, done: 0, failed: 0 };
  for (const instance of instances.values()) if (instance.agent === agent) count[instance.state]++;
  return count;
}
