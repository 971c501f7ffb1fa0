import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';

const names: Readonly<Record<string, string>> = {
  seq: ':seq',
  hash: ':hash',
  pin: ':pin',
  number: ':number',
  draft: ':draft',
  share: ':share',
  score: ':score',
};

/** `GET /api/v1/runs/:id/events` of each handler that a route.ts exports. */
async function routes(): Promise<string[]> {
  const files = await readdir(import.meta.dirname, { recursive: true });
  const found = await Promise.all(
    files
      .filter((file) => path.basename(file) === 'route.ts' && !file.includes('[...'))
      .map(async (file) => {
        const folder = path.dirname(file).split(path.sep).join('/');
        const address = folder.replace(/\[(\w+)\]/g, (_, name: string) => names[name] ?? ':id');
        const text = await readFile(path.join(import.meta.dirname, file), 'utf8');
        return [...text.matchAll(/^export const ([A-Z]+) =/gm)].map(([, method]) => `${method} /api/${address}`);
      }),
  );
  return found.flat().sort();
}

test('docs/http-api.md names every route, and none that is not there', async () => {
  const page = await readFile(path.join(import.meta.dirname, '../../docs/http-api.md'), 'utf8');
  const named = [...page.matchAll(/`((?:GET|POST|PUT|PATCH|DELETE) \/api\/[^`?\s]*)/g)].map(([, route]) => route);
  expect([...new Set(named)].sort()).toEqual(await routes());
});
