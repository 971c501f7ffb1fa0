import { expect, test } from 'vitest';
import { isForTests, readImports } from './read-imports';

/** Parts that the app does not call yet. */
const ahead = [
  // Reviews will show how a change alters the graph.
  'lib/graph/diff.ts',
  // Routers and planners will ask a model with it.
  'lib/runtime/model/ask.ts',
];

test('a file that only tests import is in lib/testing', () => {
  const imports = readImports('.');
  expect(imports.length).toBeGreaterThan(2_000);
  const used = new Set(imports.flatMap(([from, to]) => (isForTests(from) ? [] : [to])));
  const unused = new Set(imports.flatMap(([, to]) => (isForTests(to) || used.has(to) ? [] : [to])));
  // Next and the start scripts load these by their paths.
  const loaded = /^(?:app|bin)\/|^lib\/(?:cli\/main|server\/front\/web-front)\.ts$/;
  expect([...unused].filter((file) => !loaded.test(file) && !ahead.includes(file))).toEqual([]);
});
