import type { ImportedStep } from './imported-step';

/*
 * Finds the place of every step of a trace in a tree of instances.
 *
 *   agent, and a step or model with calls of its own inside      →  an instance (a lane)
 *   model, tool, hook, setup, any other step                     →  a step of the nearest instance above
 *   part of an agent's loop with calls inside             →  a step; the calls are steps of the same instance
 *   tool with an instance below                                  →  the call that made the instance
 *   what would be the instance inside of `mostLevels` others     →  a step of the innermost of them, as are the calls inside
 *
 * Parents that are missing, that are the step itself, or that form a circle are ignored: such a step is at the top. Nothing
 * here calls itself, because a trace may be thousands of levels deep.
 */

export interface PlacedStep {
  readonly step: ImportedStep;
  /** Children in the order of their start. */
  readonly children: PlacedStep[];
  isInstance: boolean;
  /** True for a step whose calls belong to what it is inside of: a part of an agent's loop, or an instance that is too deep. */
  isWrapper: boolean;
  /** True if it would be an instance, but is inside of too many others. */
  isTooDeep: boolean;
  /** True if an instance is below, without another instance between. */
  makesInstance: boolean;
  /** Not before the parent's start. */
  start: number;
  end: number;
  /** Milliseconds by which it was moved, because its clock and that of its parent differ. */
  movedMs: number;
  /** True if it started after its parent had ended. It is drawn at its time. */
  isLate: boolean;
  /** True if the step names a parent that has not arrived. */
  readonly isOrphan: boolean;
}

/**
 * Instances nest at most so deep. The path of an instance names all that it is inside of, and each event has the path: without a
 * limit, the log of agents that are each inside of the one before has the square of their number in names.
 */
export const mostLevels = 50;

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
      isTooDeep: false,
      makesInstance: false,
      start: step.start,
      end: step.end ?? Math.max(lastEnd, step.start),
      movedMs: 0,
      isLate: false,
      isOrphan: step.parent !== undefined && !known.has(step.parent),
    });
  }
  const tops: PlacedStep[] = [];
  for (const child of placed.values()) {
    const parent = placed.get(parents.get(child.step.id) ?? '');
    (parent?.children ?? tops).push(child);
  }
  descend(tops);
  return tops;
}

interface Below {
  calls: boolean;
  modelsOrAgents: boolean;
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
    for (let at = parents.get(id); at !== undefined; at = parents.get(at)) {
      const below = found.get(at) ?? { calls: false, modelsOrAgents: false };
      if (below.calls && (below.modelsOrAgents || !isMore)) break;
      below.calls = true;
      below.modelsOrAgents ||= isMore;
      found.set(at, below);
    }
  }
  return found;
}

/** A place on the way down. */
interface Descent {
  readonly place: PlacedStep;
  /** The number of instances that it is inside of. */
  readonly level: number;
  /** The nearest tool call above, if no instance is between. */
  readonly tool: PlacedStep | undefined;
}

/** Goes through the tree from the top, once. */
function descend(tops: PlacedStep[]): void {
  const bySeen = (a: PlacedStep, b: PlacedStep) => a.start - b.start;
  tops.sort(bySeen);
  const open = tops.map((place): Descent => ({ place, level: 0, tool: undefined }));
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const { place, level } = at;
    if (place.isInstance && level >= mostLevels) joinLane(place);
    if (place.isInstance && at.tool !== undefined) at.tool.makesInstance = true;
    place.end = Math.max(place.end, place.start);
    const tool = place.isInstance ? undefined : place.step.kind === 'tool' ? place : at.tool;
    for (const child of place.children) {
      correctClock(child, place);
      open.push({ place: child, level: place.isInstance ? level + 1 : level, tool });
    }
    place.children.sort(bySeen);
  }
}

/** Makes a step of the instance that it is inside of. */
function joinLane(place: PlacedStep): void {
  place.isInstance = false;
  place.isTooDeep = true;
  place.isWrapper = place.step.kind !== 'model';
}

/**
 * Corrects the clock of another machine: what started before its parent is moved as a whole, with all that is inside of it, and keeps
 * its duration. If no part of it was within the parent's time, it goes to the middle; otherwise it starts with the parent.
 */
function correctClock(child: PlacedStep, parent: PlacedStep): void {
  // The parent's own move is that of its clock, which its children share.
  child.movedMs = parent.movedMs;
  child.start += parent.movedMs;
  // An end that the source does not have is that of the trace, which does not move.
  const isOpen = child.step.end === undefined;
  if (!isOpen) child.end += parent.movedMs;
  // Some frameworks put the calls that a model asks for inside of its span, which has ended then.
  child.isLate = child.start > parent.end && parent.step.kind !== 'model';
  if (child.start >= parent.start) return;
  const length = child.end - child.start;
  const room = Math.max(0, parent.end - parent.start - length);
  const start = child.end <= parent.start ? parent.start + room / 2 : parent.start;
  child.movedMs += start - child.start;
  child.start = start;
  if (!isOpen) child.end = start + length;
}
