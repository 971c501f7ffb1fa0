import { expect, test } from 'vitest';
import { brandAs, type RunId } from '@/lib/base/ids';
import type { Json } from '@/lib/base/json';
import { importedAt, onlyRunOf, textsOf } from '@/lib/testing/imported-files';
import { eventLogHeader } from './event-log';
import { runsOfFiles } from './runs-of-files';

const eventsOfFiles = (files: Readonly<Record<string, unknown>>) => onlyRunOf(runsOfFiles(textsOf(files), importedAt));

const atif = {
  ...{ schema_version: 'ATIF-v1.7', session_id: 's1', trajectory_id: 't1', agent: { name: 'dev' } },
  steps: [
    { step_id: 1, source: 'user', message: 'Inspect' },
    { step_id: 2, timestamp: '2026-07-12T12:00:02Z', source: 'agent', message: 'Seen' },
    { step_id: 3, timestamp: '2026-07-12T12:00:06Z', source: 'agent', message: 'Done' },
  ],
};

test('an event log is the same run again, and a cut one ends as cancelled', () => {
  const events = eventsOfFiles({ 'trajectory.json': atif });
  const lines = events.map((event) => `${JSON.stringify(event)}\n`);
  expect(eventsOfFiles({ 'a.ndjson': eventLogHeader() + lines.join('') })).toEqual(events);
  const cut = eventsOfFiles({ 'a.ndjson': eventLogHeader() + lines.slice(0, 6).join('') });
  expect(cut.slice(0, 6)).toEqual(events.slice(0, 6));
  expect(cut.slice(6)).toMatchObject([{ seq: 7, kind: 'run.finished', status: 'cancelled' }]);
});

test('files that hold no run are named, and the rest is imported', () => {
  const texts = new Map([
    ['notes.txt', 'Hello'],
    ['other.json', '{"a":1}'],
    ['t.json', JSON.stringify(atif)],
  ]);
  const { runs, ignored } = runsOfFiles(texts, importedAt);
  expect([runs.map(({ key }) => key), ignored]).toEqual([['atif\ns1\nt1'], ['notes.txt', 'other.json']]);
});

test('any JSON in the place of a session, a history or a trajectory is read without an exception', () => {
  const odd: readonly Json[] = [
    null,
    1,
    'x',
    [],
    {},
    [[]],
    { messages: [null, 1, { role: 'assistant', tool_calls: [1], channels: 'x' }] },
  ];
  for (const value of odd) {
    const files = { 'session.json': value, 'history_a.json': value, 'trajectories/b.json': value };
    const atifs = {
      'b.json': { schema_version: 'ATIF-v1.7', steps: value, agent: value, subagent_trajectories: [value] },
    };
    for (const set of [files, atifs]) {
      const texts = new Map(Object.entries(set).map(([path, file]) => [path, JSON.stringify(file)]));
      for (const { make } of runsOfFiles(texts, importedAt).runs)
        expect(make(brandAs<RunId>('run')).events.at(-1)?.kind).toBe('run.finished');
    }
  }
});
