import type { ImportedStep } from './imported-step';
import type { PlacedStep } from './place-steps';

/** A step at the top of a trace, and the time that the trace takes. */
export interface Root {
  readonly place: PlacedStep;
  readonly start: number;
  readonly end: number;
}

/** Returns the single agent at the top of a trace. If there is none, an instance around the trace is made up. */
export function rootOf(tops: readonly PlacedStep[], name: string): Root {
  const start = tops[0]?.start ?? 0;
  let end = 0;
  for (const place of withAllBelow(tops)) end = Math.max(end, place.end);
  const [only] = tops;
  const isOne = tops.length === 1 && only?.isInstance === true;
  return { place: isOne ? only : madeUp(tops, name, start, end), start, end };
}

/** Yields places and all that are below them, without an order. A trace may be thousands of levels deep. */
export function* withAllBelow(tops: readonly PlacedStep[]): Generator<PlacedStep> {
  const open = [...tops];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    yield place;
    for (const child of place.children) open.push(child);
  }
}

function madeUp(tops: readonly PlacedStep[], name: string, start: number, end: number): PlacedStep {
  const last = tops.findLast(({ step }) => step.kind !== 'unknown')?.step;
  const step: ImportedStep = {
    ...{ id: '', parent: undefined, kind: 'agent', name, original: '', start, end, rest: {} },
    outcome: last?.outcome ?? 'ok',
    error: last?.error,
    estimated: ['instance: the trace has no single agent at its top'],
  };
  return {
    step,
    children: [...tops],
    isInstance: true,
    isWrapper: false,
    isTooDeep: false,
    makesInstance: false,
    start,
    end,
    movedMs: 0,
    isLate: false,
    isOrphan: false,
  };
}

/** Returns the first question to an agent or a model below. */
export function firstInput(root: PlacedStep): string | undefined {
  const open = [root];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { kind, input } = place.step;
    if ((kind === 'agent' || kind === 'model') && input !== undefined) return input;
    for (const child of place.children.toReversed()) open.push(child);
  }
  return undefined;
}
