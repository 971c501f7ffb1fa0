import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const components = fileURLToPath(new URL('../../components', import.meta.url));

/** The set-up of the tests themselves. */
const without: readonly string[] = ['testing'];

test('each folder of components has a test beside its components', () => {
  const folders = readdirSync(components, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.length).toBeGreaterThan(20);
  const untested = folders
    .map(({ name }) => name)
    .filter((name) => !readdirSync(path.join(components, name)).some((file) => /\.test\.tsx?$/.test(file)));
  expect(untested).toEqual(without);
});
