import { expect, test } from 'vitest';
import { arrangeSteps } from './arrange-steps';
import type { ImportedKind, ImportedStep } from './imported-step';

const step = (id: string, parent: string | undefined, kind: ImportedKind, more: Partial<ImportedStep> = {}) =>
  ({
    ...{ id, parent, kind, name: id, original: id, start: 0, end: 10, outcome: 'ok', rest: {}, estimated: [] },
    ...more,
  }) satisfies ImportedStep;

const placesOf = (steps: readonly ImportedStep[]) =>
  arrangeSteps(steps).map(({ id, parent }) => `${parent ?? 'top'} > ${id}`);

test('a call of an agent without a span that is inside of another call of it stays there', () => {
  const steps = [
    step('task', undefined, 'tool'),
    step('a', 'task', 'model', { subagent: 'sub-1', original: 'chat' }),
    step('b', 'a', 'model', { subagent: 'sub-1', original: 'chat', start: 2 }),
  ];
  expect(placesOf(steps)).toEqual(['top > task', 'task/sub-1 > a', 'a > b', 'task > task/sub-1']);
});
