import { expect, test } from 'vitest';
import { listTemplates } from '@/lib/server/templates';
import { findTemplates, templateGroups, templatePlace } from './template-groups';

test('every template is in a group, has a short name of its own and a picture of its graph', async () => {
  const templates = await listTemplates({ python: true });
  expect(new Set(templates.map(({ group }) => group))).toEqual(new Set(templateGroups));
  const shorts = templates.map(({ short }) => short);
  expect(new Set(shorts).size).toBe(shorts.length);
  for (const { id, short, title, sketch } of templates) {
    expect(templatePlace(id, '?').short, id).not.toBe('?');
    expect(short.length, short).toBeLessThanOrEqual(20);
    expect(title.length).toBeGreaterThan(0);
    expect(sketch.boxes.length, id).toBeGreaterThan(0);
    expect(sketch.width * sketch.height, id).toBeGreaterThan(0);
  }
});

test('a search finds words of name, sentence and group, in the order of the groups', async () => {
  const templates = await listTemplates({ python: true });
  const found = (typed: string) =>
    findTemplates(templates, typed).map(({ group, templates }) => `${group}: ${templates.map(({ short }) => short)}`);
  expect(found('').map((line) => line.split(':')[0])).toEqual([...templateGroups]);
  expect(found('')[0]).toMatch(/^Start: Project office/);
  expect(found('chain announcement')).toEqual(['Workflows: Chain']);
  expect(found('HOOKS typescript')).toEqual(['Hooks: TypeScript hooks']);
  expect(found('no such thing')).toEqual([]);
});
