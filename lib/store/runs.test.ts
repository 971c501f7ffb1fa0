import { expect, test } from 'vitest';
import { brandAs, type CorrelationId, type ProjectId } from '@/lib/base/ids';
import { testDatabase } from '@/lib/testing/postgres';
import { storedRun } from '@/lib/testing/stored-run';
import { findLastRun, findRun, findRunGroups } from './runs';

const { store } = await testDatabase();

test('runs that share a correlation id are one group, the group with the newest run first', async () => {
  const runs = [];
  for (const [index, correlationId] of ['x', 'y', 'x', 'z'].entries()) {
    const id = await storedRun(store);
    await store.prisma.run.update({ where: { id }, data: { correlationId, createdAt: new Date(2026, 0, 1 + index) } });
    runs.push(id);
  }
  const [x1, y, x2, z] = runs;
  const listed = async (filter: Parameters<typeof findRunGroups>[1]) => {
    const { groups, total } = await findRunGroups(store, filter);
    return {
      total,
      groups: groups.map((group) => [group.correlationId, group.runCount, ...group.runs.map((run) => run.id)]),
    };
  };
  expect(await listed({ limit: 10 })).toEqual({
    total: 3,
    groups: [
      ['z', 1, z],
      ['x', 2, x2, x1],
      ['y', 1, y],
    ],
  });
  expect(await listed({ limit: 1 })).toEqual({ total: 3, groups: [['z', 1, z]] });
  expect(await listed({ limit: 10, before: new Date(2026, 0, 3) })).toEqual({ total: 3, groups: [['y', 1, y]] });
  expect(await listed({ limit: 10, correlationId: brandAs<CorrelationId>('x') })).toEqual({
    total: 1,
    groups: [['x', 2, x2, x1]],
  });
});

test("a project's last run is its newest", async () => {
  const id = await storedRun(store);
  const { projectId } = await findRun(store, id);
  expect(await findLastRun(store, projectId)).toMatchObject({ id, projectId });
  expect(await findLastRun(store, brandAs<ProjectId>('none'))).toBeUndefined();
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
    const id = await storedRun(store);
    await store.prisma.run.update({
      where: { id },
      data: { message: JSON.stringify(message), agent: message, correlationId: `text ${message}` },
    });
  }
  const found = async (filter: { readonly text?: string; readonly agent?: string }) => {
    const { groups, total } = await findRunGroups(store, { ...filter, limit: 50 });
    expect(total).toBe(groups.length);
    return groups.map(({ correlationId }) => correlationId.replace('text ', '')).sort();
  };
  for (const field of ['text', 'agent'] as const) {
    expect(await found({ [field]: '100%' })).toEqual(['100% of it']);
    expect(await found({ [field]: 'SNAKE_case' })).toEqual(['snake_case']);
    expect(await found({ [field]: '\\' })).toEqual(['a \\ slash']);
    expect(await found({ [field]: '"quoted"' })).toEqual(['a "quoted" word']);
    expect(await found({ [field]: 'two\nlines' })).toEqual(['two\nlines']);
  }
});
