import type { AgentCard } from './card';
import { type DelegationSettings, delegationOptions } from './delegation-settings';
import type { Settings } from './settings';

/** The effect of an agent's `toolsets`. One function decides both which workers are offered and which calls are allowed. */
export interface WorkerPolicy {
  /** The agents that `worker_call` may run, in the order of `allow_workers`. */
  readonly callable: readonly string[];
  /** The agents that are offered as tools although they are not children. */
  readonly tools: readonly string[];
  /** The agents that `worker_call` rejects because they are offered as tools (`expose_as_tools: only`). */
  readonly onlyAsTools: readonly string[];
  readonly hasWorkerCall: boolean;
  readonly mayCreate: boolean;
  /** Allowed names without an agent. */
  readonly unknown: readonly string[];
}

const noWorkers: WorkerPolicy = {
  callable: [],
  tools: [],
  onlyAsTools: [],
  hasWorkerCall: false,
  mayCreate: false,
  unknown: [],
};

/** Computes the policy. `agents` are the agents of the project that can run, in order. */
export function workerPolicy(
  card: Pick<AgentCard, 'name' | 'agents'>,
  agents: Iterable<string>,
  settings: Pick<Settings, 'toolsets'> & DelegationSettings,
): WorkerPolicy {
  const toolsets = Object.hasOwn(settings.toolsets, card.name) ? settings.toolsets[card.name] : undefined;
  if (!toolsets) return noWorkers;
  const { delegation, worker_tools } = toolsets;
  const known = [...agents];
  const names = new Set(known);
  const children = new Set(card.agents);
  const isKnown = (name: string) => names.has(name);
  const wanted = delegation ? (delegation.allow_workers ?? card.agents) : [];
  const listed = distinct([...wanted, ...(worker_tools?.workers ?? [])]);
  const mayRunItself = delegationOptions(settings, card.name, card.name).recursive === true;
  const everyone = known.filter((name) => name !== card.name || mayRunItself);
  const named = wanted.filter((name) => name !== '*' && isKnown(name));
  const allowed = wanted.includes('*') ? distinct([...named, ...everyone]) : distinct(named);
  const expose = delegation?.expose_as_tools ?? false;
  const exposed = [...(expose === false ? [] : allowed), ...(worker_tools?.workers ?? []).filter(isKnown)];
  const callable = expose === 'only' ? [] : allowed;
  const mayCreate = delegation?.create === 'allowed';
  return {
    callable,
    tools: distinct(exposed).filter((name) => !children.has(name)),
    onlyAsTools: expose === 'only' ? allowed : [],
    hasWorkerCall: callable.length > 0 || mayCreate,
    mayCreate,
    unknown: listed.filter((name) => name !== '*' && !isKnown(name)),
  };
}

function distinct(names: readonly string[]): string[] {
  return [...new Set(names)];
}
