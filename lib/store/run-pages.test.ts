import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RunId } from '@/lib/base/ids';
import { testDatabase } from '@/lib/testing/postgres';
import { conditionsOf } from '@/lib/testing/run-conditions';
import { storedRun } from '@/lib/testing/stored-run';
import { fromJsonTextStart } from './json-text';
import { findRunPage, findRunPoints, findRunsInOrder, type RunPlace } from './run-pages';

const { store } = await testDatabase();

/** Every page with its groups: correlation id, number of runs, ids of the runs. */
async function pagesOf(query: string, limit: number) {
  const where = conditionsOf(query);
  const pages: (readonly (readonly (string | number)[])[])[] = [];
  let after: RunPlace | undefined;
  do {
    const page = await findRunPage(store, { scope: 'all', where, limit, after });
    pages.push(
      page.groups.map(({ correlationId, runCount, runs }) => [correlationId, runCount, ...runs.map(({ id }) => id)]),
    );
    after = page.next;
  } while (after !== undefined);
  return pages;
}

test('runs that share a correlation id are one group, the group with the newest run first', async () => {
  const runs: RunId[] = [];
  for (const [index, correlationId] of ['x', 'y', 'x', 'z'].entries()) {
    const id = await storedRun(store);
    const status = index === 2 ? 'failed' : 'completed';
    await store.prisma.run.update({
      where: { id },
      data: { correlationId, status, createdAt: new Date(2026, 0, 1 + index) },
    });
    runs.push(id);
  }
  const [x1, y, x2, z] = runs;
  const groups = [
    ['z', 1, z],
    ['x', 2, x2, x1],
    ['y', 1, y],
  ];
  expect(await pagesOf('', 10)).toEqual([groups]);
  expect(await pagesOf('', 1)).toEqual(groups.map((group) => [group]));
  expect(await pagesOf('', 2)).toEqual([groups.slice(0, 2), groups.slice(2)]);
  expect(await pagesOf('correlation=x', 1)).toEqual([[['x', 2, x2]], [['x', 2, x1]]]);
  // A run that the filter keeps out neither leads its group nor counts in it.
  expect(await pagesOf('status=completed', 10)).toEqual([
    [
      ['z', 1, z],
      ['y', 1, y],
      ['x', 1, x1],
    ],
  ]);
});

test('pages hold every group once, though many runs were started in the same millisecond', async () => {
  const at = new Date(2026, 1, 1);
  const ids = new Set<string>();
  for (let index = 0; index < 12; index++) {
    const id = await storedRun(store);
    await store.prisma.run.update({
      where: { id },
      data: { correlationId: `same ${index % 5}`, agent: 'simultaneous', createdAt: at },
    });
    ids.add(id);
  }
  const pages = await pagesOf('agent=simultaneous', 2);
  expect(pages.map((page) => page.length)).toEqual([2, 2, 1]);
  const groups = pages.flat();
  expect(new Set(groups.map(([correlationId]) => correlationId)).size).toBe(5);
  expect(new Set(groups.flatMap(([, , ...runs]) => runs))).toEqual(ids);
});

test('a group lists its newest 20 runs and says how many it has', async () => {
  const ids: RunId[] = [];
  for (let index = 0; index < 23; index++) {
    const id = await storedRun(store);
    const createdAt = new Date(2026, 2, 1, 0, index);
    await store.prisma.run.update({ where: { id }, data: { correlationId: 'many', agent: 'crowd', createdAt } });
    ids.unshift(id);
  }
  expect(await pagesOf('agent=crowd', 5)).toEqual([[['many', 23, ...ids.slice(0, 20)]]]);
  const whole = await pagesOf('correlation=many', 15);
  expect(whole).toEqual([[['many', 23, ...ids.slice(0, 15)]], [['many', 23, ...ids.slice(15)]]]);
});

test('of a long message the list has the beginning, and no answer', async () => {
  const id = await storedRun(store);
  const message = `\u{0}"${'\\'.repeat(300)}${'long '.repeat(100_000)}`;
  await store.prisma.run.update({
    where: { id },
    data: { correlationId: 'long', message: JSON.stringify(message), answer: JSON.stringify('secret') },
  });
  const { groups } = await findRunPage(store, { scope: 'all', where: conditionsOf('correlation=long'), limit: 5 });
  const listed = groups[0]?.runs[0];
  expect(listed?.message.slice(0, 240)).toBe(message.slice(0, 240));
  expect(JSON.stringify(listed).length).toBeLessThan(4_000);
  await store.prisma.run.delete({ where: { id } });
});

test('the beginning of a JSON text is the beginning of the text, wherever it is cut', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(), (text, cut) => {
      const stored = [...JSON.stringify(text)];
      const start = fromJsonTextStart(stored.slice(0, 1 + (cut % stored.length)).join(''));
      expect(text.startsWith(start)).toBe(true);
      expect(fromJsonTextStart(stored.join(''))).toBe(text);
    }),
  );
});

test('a text in a filter is looked for as it is written, whatever it means to the database', async () => {
  const messages = [
    '100% of it',
    '100 of it',
    'snake_case',
    'snakeXcase',
    'a \\ slash',
    'two\nlines',
    'a "quoted" word',
  ];
  for (const message of messages) {
    const id = await storedRun(store, undefined, message);
    await store.prisma.run.update({
      where: { id },
      data: { agent: message, correlationId: `text ${message}` },
    });
  }
  const found = async (filter: Readonly<Record<string, string>>) => {
    const where = conditionsOf(new URLSearchParams(filter).toString());
    const { groups, next } = await findRunPage(store, { scope: 'all', where, limit: 50 });
    expect(next).toBeUndefined();
    return groups.map(({ correlationId }) => correlationId.replace('text ', '')).sort();
  };
  for (const field of ['text', 'agent'] as const) {
    expect(await found({ [field]: '100%' })).toEqual(['100% of it']);
    expect(await found({ [field]: 'SNAKE_case' })).toEqual(['snake_case']);
    expect(await found({ [field]: '\\' })).toEqual(['a \\ slash']);
    expect(await found({ [field]: '"quoted"' })).toEqual(['a "quoted" word']);
  }
});

test.each([
  ['Turkish', 'Uçak İSTANBUL’a iner', ['istanbul', 'İstanbul', 'ISTANBUL', 'UÇAK']],
  ['Greek', 'Η ΟΔΟΣ είναι μακριά', ['οδος', 'ΟΔΟΣ', 'ΕΊΝΑΙ']],
  ['Cyrillic', 'Прочитай ПИСЬМО', ['письмо', 'ПРОЧИТАЙ']],
  ['German', 'Die Straße ist gesperrt', ['STRASSE', 'straße', 'GESPERRT']],
])('a %s text is found in any case', async (script, message, searched) => {
  const id = await storedRun(store, undefined, message);
  for (const text of searched) {
    const where = conditionsOf(new URLSearchParams({ text }).toString());
    const { groups } = await findRunPage(store, { scope: 'all', where, limit: 50 });
    expect(
      groups.flatMap(({ runs }) => runs.map((run) => run.id)),
      `${script}: ${text}`,
    ).toEqual([id]);
  }
});

test('an export reads every matching run once, newest first, and a chart has a point for each', async () => {
  const at = new Date(2026, 3, 1).getTime();
  const ids: RunId[] = [];
  for (let index = 0; index < 5; index++) {
    const id = await storedRun(store);
    const createdAt = new Date(at + Math.floor(index / 2) * 1_000);
    const ended = { status: 'failed', startedAt: createdAt, finishedAt: new Date(createdAt.getTime() + 250) };
    const data = { correlationId: 'exported', agent: 'exporter', createdAt, ...(index > 0 && ended) };
    await store.prisma.run.update({ where: { id }, data });
    ids.push(id);
  }
  const where = conditionsOf('agent=exporter');
  const read: RunId[] = [];
  for (let after: RunPlace | undefined; ; ) {
    const page = await findRunsInOrder(store, { scope: 'all', where, after, limit: 2 });
    read.push(...page.map(({ id }) => id));
    const last = page.at(-1);
    if (last === undefined) break;
    after = { createdAt: last.createdAt, id: last.id };
  }
  expect(new Set(read)).toEqual(new Set(ids));
  expect(read).toHaveLength(5);
  const { points, isCut } = await findRunPoints(store, where, 'all');
  expect(isCut).toBe(false);
  expect(points.map(({ status, durationMs }) => `${status} ${durationMs}`).sort()).toEqual([
    ...Array.from({ length: 4 }, () => 'failed 250'),
    'queued undefined',
  ]);
});
