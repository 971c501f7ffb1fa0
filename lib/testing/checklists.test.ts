import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** `title`, `title`, one.test.ts and other.test.ts */
const citation = /((?:`[^`]+`,? )+)([\w-]+\.test\.tsx?(?: and [\w-]+\.test\.tsx?)*)/g;

test('docs/checklists.md cites tests that are there', () => {
  const page = readFileSync(path.join(root, 'docs/checklists.md'), 'utf8');
  /** Texts by file name, which several folders may contain. */
  const texts = new Map<string, string>();
  for (const folder of ['lib', 'components']) {
    for (const name of readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })) {
      if (!/\.test\.tsx?$/.test(name)) continue;
      const file = path.basename(name);
      texts.set(file, (texts.get(file) ?? '') + readFileSync(path.join(root, folder, name), 'utf8'));
    }
  }
  const cited = [...page.matchAll(citation)].flatMap(([, titles = '', files = '']) =>
    [...titles.matchAll(/`([^`]+)`/g)].flatMap(([, title = '']) =>
      files.split(' and ').map((file) => ({ title, file, isThere: texts.get(file)?.includes(title) ?? false })),
    ),
  );
  expect(cited.length).toBeGreaterThan(100);
  expect(cited.filter(({ isThere }) => !isThere)).toEqual([]);
  // Each file is cited with titles.
  const named = page.replaceAll(citation, '').match(/[\w-]+\.test\.tsx?/g) ?? [];
  expect(named).toEqual([]);
});
