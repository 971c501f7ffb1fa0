import { isRecord } from '@/lib/base/json';
import type { ImportedStep } from './imported-step';
import { StepFamily } from './step-family';

/**
 * Makes the agents that have no span of their own: a call made them, and only their steps name them.
 *
 *   tool Task ─ model (subagent sub-1)      →  tool Task ─ agent sub-1 ─ model
 */
export function withSubagents(steps: readonly ImportedStep[]): readonly ImportedStep[] {
  if (!steps.some(({ subagent }) => subagent !== undefined)) return steps;
  const family = new StepFamily(steps);
  const made = new Map<string, ImportedStep>();
  for (const step of steps) {
    if (step.subagent === undefined) continue;
    const place = callAround(family, step);
    if (place === undefined) continue;
    const id = `${place.call.id}/${step.subagent}`;
    const agent = made.get(id) ?? agentOf(place.call, step.subagent, id);
    made.set(id, stretched(agent, step));
    family.put(stretched(agent, step));
    // What is inside of another of its steps is inside of the agent already.
    if (place.top.parent !== id && place.top.id !== id) family.move(place.top, id);
  }
  for (const agent of made.values()) takeOthers(family, agent);
  return family.all();
}

/** Finds the tool call that a step is inside of, and the outermost step between. */
function callAround(family: StepFamily, step: ImportedStep) {
  let top = step;
  for (let levels = 0; levels < 100; levels++) {
    const parent = family.parentOf(top);
    if (parent === undefined) return undefined;
    if (parent.kind === 'tool') return { call: parent, top };
    if (parent.kind === 'agent') return parent.parent === undefined ? undefined : callOf(family, parent);
    top = parent;
  }
  return undefined;
}

/** The agent was made for an earlier step. */
function callOf(family: StepFamily, agent: ImportedStep) {
  const call = family.parentOf(agent);
  return call?.kind === 'tool' ? { call, top: agent } : undefined;
}

function agentOf(call: ImportedStep, subagent: string, id: string): ImportedStep {
  const given = isRecord(call.arguments) ? call.arguments : {};
  return {
    ...{ id, parent: call.id, kind: 'agent', original: '', rest: {}, outcome: 'ok' },
    name: typeof given.subagent_type === 'string' ? given.subagent_type : subagent,
    ...(typeof given.prompt === 'string' && { input: given.prompt }),
    start: Number.POSITIVE_INFINITY,
    end: 0,
    estimated: ['instance: the source has no span of this agent, so it lasts as long as its steps'],
  };
}

function stretched(agent: ImportedStep, { start, end = start }: ImportedStep): ImportedStep {
  return { ...agent, start: Math.min(agent.start, start), end: Math.max(agent.end ?? 0, end) };
}

/** Calls beside the agent's steps that name no agent are its calls too, if the call made one agent alone. */
function takeOthers(family: StepFamily, { id, parent }: ImportedStep): void {
  const beside = family.childrenOf(parent ?? '').filter((step) => step.id !== id);
  if (beside.some(({ kind }) => kind === 'agent')) return;
  for (const step of beside) if (step.kind === 'model' || step.kind === 'tool') family.move(step, id);
}
