import type { ImportedStep } from './imported-step';

/*
 * Finds the place of every step of a trace in a tree of instances.
 *
 *   agent, and a step or model with calls of its own inside      →  an instance (a lane)
 *   model, tool, hook, setup, any other step                     →  a step of the nearest instance above
 *   part of an agent's loop with calls inside             →  a step; the calls are steps of the same instance
 *   tool with an instance below                                  →  the call that made the instance
 *
 * Parents that are missing, that are the step itself, or that form a circle are ignored: such a step is at the top. Nothing
 * here calls itself, because a trace may be thousands of levels deep.
 */

export interface PlacedStep {
  readonly step: ImportedStep;
  /** Children in the order of their start. */
  readonly children: PlacedStep[];
  readonly isInstance: boolean;
  /** True for a part of an agent's loop with calls inside. */
  readonly isWrapper: boolean;
  /** True if an instance is below, without another instance between. */
  makesInstance: boolean;
  /** True if a model call is anywhere below. */
  readonly hasModels: boolean;
  /** Not before the parent's start. */
  start: number;
  end: number;
  /** Milliseconds by which the start was before the parent's. */
  skewMs: number;
  /** True if the step names a parent that has not arrived. */
  readonly isOrphan: boolean;
}

/** Returns the steps at the top, in the order of their start. */
export function placeSteps(steps: readonly ImportedStep[]): readonly PlacedStep[] {
  const known = new Map(steps.map((step) => [step.id, step]));
  const parents = parentsOf(known);
  const below = hasBelow([...known.values()], parents);
  let lastEnd = 0;
  for (const { start, end } of known.values()) lastEnd = Math.max(lastEnd, end ?? start);
  const placed = new Map<string, PlacedStep>();
  for (const step of known.values()) {
    placed.set(step.id, {
      step,
      children: [],
      isInstance: isInstance(step, below.get(step.id)),
      isWrapper: step.isPart === true && below.get(step.id)?.calls === true,
      makesInstance: false,
      hasModels: below.get(step.id)?.models === true,
      start: step.start,
      end: step.end ?? Math.max(lastEnd, step.start),
      skewMs: 0,
      isOrphan: step.parent !== undefined && !known.has(step.parent),
    });
  }
  const tops: PlacedStep[] = [];
  for (const child of placed.values()) {
    const parent = placed.get(parents.get(child.step.id) ?? '');
    (parent?.children ?? tops).push(child);
    if (child.isInstance) markMaker(child, placed, parents);
  }
  sortAndClamp(tops);
  return tops;
}

interface Below {
  calls: boolean;
  modelsOrAgents: boolean;
  models: boolean;
}

function isInstance(step: ImportedStep, below: Below | undefined): boolean {
  if (step.kind === 'agent') return true;
  if (step.isPart === true) return false;
  if (step.kind === 'step' || step.kind === 'unknown') return below?.calls === true;
  return step.kind === 'model' && below?.modelsOrAgents === true;
}

/** Returns the parent of each step. A step whose parents form a circle has none. */
function parentsOf(known: ReadonlyMap<string, ImportedStep>): ReadonlyMap<string, string> {
  const parents = new Map<string, string>();
  const isSafe = new Set<string>();
  for (const start of known.keys()) {
    const path = new Set<string>();
    let at: string | undefined = start;
    while (at !== undefined && !isSafe.has(at)) {
      path.add(at);
      const parent: string | undefined = known.get(at)?.parent;
      if (parent === undefined || !known.has(parent) || path.has(parent)) break;
      parents.set(at, parent);
      at = parent;
    }
    for (const id of path) isSafe.add(id);
  }
  return parents;
}

/** Says of each step whether calls are anywhere below it. Each step is passed a bounded number of times. */
function hasBelow(steps: readonly ImportedStep[], parents: ReadonlyMap<string, string>): ReadonlyMap<string, Below> {
  const found = new Map<string, Below>();
  for (const { id, kind } of steps) {
    if (kind !== 'agent' && kind !== 'model' && kind !== 'tool') continue;
    const isMore = kind !== 'tool';
    const isModel = kind === 'model';
    for (let at = parents.get(id); at !== undefined; at = parents.get(at)) {
      const below = found.get(at) ?? { calls: false, modelsOrAgents: false, models: false };
      if (below.calls && (below.modelsOrAgents || !isMore) && (below.models || !isModel)) break;
      below.calls = true;
      below.modelsOrAgents ||= isMore;
      below.models ||= isModel;
      found.set(at, below);
    }
  }
  return found;
}

function markMaker(
  instance: PlacedStep,
  placed: ReadonlyMap<string, PlacedStep>,
  parents: ReadonlyMap<string, string>,
) {
  for (let at = parents.get(instance.step.id); at !== undefined; at = parents.get(at)) {
    const above = placed.get(at);
    if (above === undefined || above.isInstance || above.makesInstance) return;
    if (above.step.kind === 'tool') {
      above.makesInstance = true;
      return;
    }
  }
}

/** Sorts children by start, and moves a start that is before the parent's, which clocks of two machines may give. */
function sortAndClamp(tops: PlacedStep[]): void {
  const bySeen = (a: PlacedStep, b: PlacedStep) => a.start - b.start;
  tops.sort(bySeen);
  const open = [...tops];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    place.end = Math.max(place.end, place.start);
    for (const child of place.children) {
      if (child.start < place.start) {
        child.skewMs = place.start - child.start;
        child.start = place.start;
      }
      open.push(child);
    }
    place.children.sort(bySeen);
  }
}
