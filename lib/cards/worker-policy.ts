import type { AgentCard } from './card';
import { type DelegationSettings, delegationOptions } from './delegation-settings';
import type { Settings } from './settings';

/** What an agent's `toolsets` come to. One function decides, for what is offered and for what is let through (P-17, P-18). */
export interface WorkerPolicy {
  /** Agents that `worker_call` runs, in the order allowed. */
  readonly callable: readonly string[];
  /** Agents that are tools of their own without being wired as children. */
  readonly tools: readonly string[];
  /** Agents that `worker_call` refuses because they have a tool of their own (`expose_as_tools: only`). */
  readonly onlyAsTools: readonly string[];
  readonly hasWorkerCall: boolean;
  readonly mayCreate: boolean;
  /** Names allowed that are no agents. */
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

/** `agents`: the project's agents that can run, in order. */
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
