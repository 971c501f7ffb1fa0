// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is what a person writes
import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { duplicateServer } from './duplicate-server';
import { setServerFilter } from './server-filter';
import { setServerArguments, setServerPairs } from './server-transport';

const card = (fields: string) => `---\nname: lead\nservers: [time]\n${fields}---\n`;

function filtered(fields: string, patterns: readonly string[] | undefined): string | null | undefined {
  const edited = setServerFilter(folderOf({ 'lead.md': card(fields) }), 'lead.md', 'tools', 'time', patterns);
  if (!edited.ok) throw new Error(edited.error.message);
  return edited.value.get('lead.md');
}

test('a picked tool is written on one line, and unticked again', () => {
  expect(filtered('', ['get_time'])).toBe(card('tools:\n  time: [get_time]\n'));
  expect(filtered('tools:\n  time: [get_time]\n', ['get_time', 'convert'])).toBe(
    card('tools:\n  time: [get_time, convert]\n'),
  );
  expect(filtered('tools:\n  time: [get_time, convert]\n', ['convert'])).toBe(card('tools:\n  time: [convert]\n'));
  expect(filtered('tools:\n  time: [get_time]\n', [])).toBe(card('tools:\n  time: []\n'));
  expect(filtered('tools:\n  time: [get_time]\n', undefined)).toBe(card(''));
});

test('items that stay keep their comments, and long lists have a line for each', () => {
  const list = 'tools:\n  time:\n    - a # first\n    - "b"\n  other: [x]\n';
  expect(filtered(list, ['a', 'c'])).toBe(card('tools:\n  time:\n    - a # first\n    - c\n  other: [x]\n'));
  const names = Array.from({ length: 12 }, (_, n) => `a_long_name_${n}`);
  expect(filtered('', names)).toBe(card(`tools:\n  time:\n${names.map((name) => `    - ${name}\n`).join('')}`));
});

const config = (entry: string) => `mcp:\n  servers:\n    s:\n${entry}`;

function edited(entry: string, edit: (folder: ReturnType<typeof folderOf>) => ReturnType<typeof setServerArguments>) {
  const done = edit(folderOf({ 'fast-agent.yaml': config(entry) }));
  if (!done.ok) throw new Error(done.error.message);
  return done.value.get('fast-agent.yaml')?.slice(config('').length);
}

test('arguments are added, changed and removed one by one', () => {
  const set = (entry: string, args: readonly string[]) =>
    edited(entry, (folder) => setServerArguments(folder, readFolder(folder), 's', args));
  expect(set('      command: npx\n', ['-y', '@acme/server'])).toBe(
    '      command: npx\n      args: ["-y", "@acme/server"]\n',
  );
  expect(set('      command: npx\n      args:\n        - "-y" # yes\n        - a\n', ['-y', 'b', 'c'])).toBe(
    '      command: npx\n      args:\n        - "-y" # yes\n        - b\n        - c\n',
  );
  expect(set('      command: npx\n      args: [a, a]\n', ['a'])).toBe('      command: npx\n      args: [a]\n');
  expect(set('      command: npx\n      args: [a]\n', [])).toBe('      command: npx\n');
  expect(set('      target: npx a\n', ['b'])).toBe('      command: npx\n      args: [b]\n');
});

test('an entry of the environment is renamed, changed, added and removed in its place', () => {
  const set = (pairs: [string, string][]) =>
    edited('      command: x\n      env:\n        A: one # first\n        B: two\n', (folder) =>
      setServerPairs(folder, readFolder(folder), 's', 'env', pairs),
    )?.replace('      command: x\n', '');
  const of = (...lines: string[]) => `      env:\n${lines.map((line) => `        ${line}\n`).join('')}`;
  expect(
    set([
      ['A', 'one'],
      ['C', 'two'],
    ]),
  ).toBe(of('A: one # first', 'C: two'));
  expect(
    set([
      ['A', '${KEY}'],
      ['B', 'two'],
    ]),
  ).toBe(of('A: ${KEY} # first', 'B: two'));
  expect(
    set([
      ['A', 'one'],
      ['B', 'two'],
      ['C', '3'],
    ]),
  ).toBe(of('A: one # first', 'B: two', 'C: "3"'));
  expect(set([['B', 'two']])).toBe(of('B: two'));
  expect(set([])).toBe('');
});

test('a copy has all settings and secrets of its server, and a name of its own', () => {
  const folder = folderOf({
    'fast-agent.yaml': config('      command: node\n      args: [s.mjs]\n'),
    'fast-agent.secrets.yaml': 'mcp:\n  servers:\n    s:\n      env: { TOKEN: t0ken-value }\n',
  });
  const copied = duplicateServer(folder, readFolder(folder), 's', 's-2');
  if (!copied.ok) throw new Error(copied.error.message);
  expect(Object.fromEntries(copied.value)).toEqual({
    'fast-agent.yaml': `${config('      command: node\n      args: [s.mjs]\n')}    s-2:\n      command: node\n      args:\n        - s.mjs\n`,
    'fast-agent.secrets.yaml':
      'mcp:\n  servers:\n    s:\n      env: { TOKEN: t0ken-value }\n    s-2:\n      env:\n        TOKEN: t0ken-value\n',
  });
  const taken = duplicateServer(folder, readFolder(folder), 's', 's');
  expect(!taken.ok && taken.error.message).toBe("'s' is another MCP server in fast-agent.yaml. Choose another name.");
});
