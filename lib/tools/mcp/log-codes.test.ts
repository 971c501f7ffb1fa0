import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';

test('the page about servers lists every code that is logged of them', async () => {
  const page = await readFile('docs/mcp.md', 'utf8');
  const files = (await readdir('lib/tools/mcp')).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  const texts = await Promise.all(files.map((file) => readFile(path.join('lib/tools/mcp', file), 'utf8')));
  const codes = texts.flatMap((text) => text.match(/'(?:server_[a-z_]+|tool_[a-z]+)'/g) ?? []);
  expect(codes.length).toBeGreaterThan(20);
  const missing = [...new Set(codes)].map((code) => code.slice(1, -1)).filter((code) => !page.includes(`\`${code}\``));
  expect(missing).toEqual([]);
});
