import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { delegationDefaultsSchema, delegationSchema } from '@/lib/cards/delegation-settings';

const page = readFileSync(fileURLToPath(new URL('../../../docs/delegation.md', import.meta.url)), 'utf8');
const groups = ['state', 'artifacts', 'attachments'];
/** They have a page of their own. */
const elsewhere = ['session', 'isolation'];

test('docs/delegation.md lists every option of a delegation, and which of them have project defaults', () => {
  const rows = page.split('\n').filter((line) => line.startsWith('| `'));
  const options = new Map<string, boolean>();
  for (const row of rows.slice(0, rows.findIndex((line) => line.startsWith('| `inherit_run_hooks`')) + 1)) {
    const [, names = '', , inDefaults = ''] = row.split(/(?<!\\)\|/);
    for (const [, name = ''] of names.matchAll(/`([a-z_]+)[^`]*`/g)) options.set(name, inDefaults.includes('✓'));
  }
  const expected = Object.keys(delegationSchema.shape).filter((key) => !elsewhere.includes(key));
  expect([...options.keys()].sort()).toEqual(expected.sort());
  const defaults = Object.keys(delegationDefaultsSchema.shape).filter((key) => !elsewhere.includes(key));
  expect([...options].flatMap(([name, given]) => (given ? [name] : [])).sort()).toEqual(defaults.sort());
  expect(defaults.filter((key) => groups.includes(key))).toEqual(expect.arrayContaining(groups));
});
