import { expect, test } from 'vitest';
import { mostScoresOfRun } from '@/lib/base/score';
import { evaluationsIn } from './evaluations';
import type { ReceivedLog } from './otlp/received-log';
import type { Attributes } from './otlp/received-span';

const record = (at: number, said: Attributes): ReceivedLog => ({
  ...{ traceId: 'a'.repeat(32), name: 'gen_ai.evaluation.result', at, resource: { 'service.name': 'judge' } },
  attributes: Object.fromEntries(Object.entries(said).map(([key, value]) => [`gen_ai.evaluation.${key}`, value])),
});

test('of what a program says again under a name, the last counts, in whatever order it comes', () => {
  const given = evaluationsIn(
    [
      record(2, { name: 'tone', 'score.value': 0.5 }),
      record(1, { name: 'tone', 'score.value': 0.25 }),
      record(1, { name: 'quality', 'score.value': 1 }),
      record(3, { name: 'empty' }),
    ],
    [],
  );
  expect(given.map(({ score: { name, value } }) => [name, value])).toEqual([
    ['tone', 0.5],
    ['quality', 1],
  ]);
});

test('a record has the same id whenever it is read, and another one has another', () => {
  const idsOf = (...logs: ReceivedLog[]) => evaluationsIn(logs, []).map(({ id }) => id);
  const [one, other] = [record(1, { name: 'a', 'score.value': 1 }), record(1, { name: 'b', 'score.value': 1 })];
  const [first, second] = idsOf(one, other);
  expect(idsOf(other)).toEqual([second]);
  expect(first).not.toBe(second);
});

test('there are no more than a run may have', () => {
  const many = Array.from({ length: mostScoresOfRun + 5 }, (_, at) => record(at, { name: `n${at}`, 'score.value': 1 }));
  const given = evaluationsIn(many, []);
  expect([given.length, given[0]?.score.name]).toEqual([mostScoresOfRun, 'n0']);
});
