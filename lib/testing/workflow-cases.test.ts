import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const folders = ['lib', 'app'].map((name) => fileURLToPath(new URL(`../../${name}/`, import.meta.url)));
const page = fileURLToPath(new URL('../../docs/workflows-cases.md', import.meta.url));

/** The tests that the page names, each as its file, a blank, and its title up to the end of the cell or the next `;`. */
const named = [...readFileSync(page, 'utf8').matchAll(/`([\w.-]+\.test\.ts)` (.+?)(?=; `[\w.-]+\.test\.ts`| \|$)/gm)];

test('docs/workflows-cases.md names tests that exist', () => {
  expect(named.length).toBeGreaterThan(10);
  const sources = new Map<string, string>();
  for (const folder of folders) {
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (name.endsWith('.test.ts')) sources.set(basename(name), readFileSync(`${folder}${name}`, 'utf8'));
    }
  }
  const missing = named.flatMap(([, file = '', title = '']) =>
    sources.get(file)?.includes(`('${title}'`) ? [] : [`${file}: ${title}`],
  );
  expect(missing).toEqual([]);
});

test('docs/workflows-cases.md is sorted by type', () => {
  const types = [...readFileSync(page, 'utf8').matchAll(/^## (.+)$/gm)].map(([, type = '']) => type);
  expect(types).toEqual(types.toSorted((a, b) => a.localeCompare(b, 'en')));
});
