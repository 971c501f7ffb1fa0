import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { listCapabilities } from '@/lib/cards/trust/list-capabilities';
import { askTrust } from './ask-trust';
import { printCapabilities } from './print-capabilities';
import { openTrustFile } from './trust-file';

const root = mkdtempSync(path.join(tmpdir(), 'callboard-ask-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const now = new Date('2026-11-22T06:00:00Z');

const files = {
  'a.md': '---\nname: a\nservers: [time]\n---\nA.\n',
  'fast-agent.yaml': 'mcp: { servers: { time: { command: node, args: [time.mjs] } } }\n',
  'time.mjs': 'one;\n',
};

function listOf(changed: Partial<typeof files> = {}) {
  const folder = folderOf({ ...files, ...changed });
  return listCapabilities(folder, readFolder(folder));
}

/** A terminal with this input, which collects its output. */
function terminal(typed: string | undefined, isTTY = true) {
  const input = Object.assign(new PassThrough(), { isTTY });
  let printed = '';
  const output = Object.assign(
    new Writable({
      write(chunk, _encoding, done) {
        printed += String(chunk);
        done();
      },
    }),
    { isTTY },
  );
  if (typed !== undefined) input.write(typed);
  input.end();
  return { input, output, printed: () => printed };
}

const dataFolder = () => path.join(mkdtempSync(path.join(root, 'data-')), 'new');

async function ask(data: string, typed: string | undefined, list = listOf(), isTTY = true) {
  const at = terminal(typed, isTTY);
  const may = await askTrust(root, list, { terminal: at, file: openTrustFile(data), now });
  return { may, printed: at.printed() };
}

test('a yes is kept for that list, in a file that only its owner reads', async () => {
  const data = dataFolder();
  const first = await ask(data, 'y\n');
  expect(first.may).toBe(true);
  expect(first.printed).toContain('node time.mjs');
  expect(first.printed).toContain('[y/N]');
  expect(statSync(path.join(data, 'trust.json')).mode & 0o777).toBe(0o600);
  expect(await ask(data, undefined)).toEqual({ may: true, printed: '' });
});

test('a changed script asks again and is marked', async () => {
  const data = dataFolder();
  await ask(data, 'yes\n');
  const again = await ask(data, 'y\n', listOf({ 'time.mjs': 'two;\n' }));
  expect(again.printed).toContain('~ time.mjs');
  expect(again.printed).toContain('  node time.mjs');
  expect((await ask(data, undefined)).printed).toBe('');
});

test.each([
  ['no', 'n\n'],
  ['nothing', '\n'],
  ['the end of input', undefined],
  ['another word', 'yep\n'],
])('%s is a no, and is asked again', async (_, typed) => {
  const data = dataFolder();
  const { may, printed } = await ask(data, typed);
  expect(may).toBe(false);
  expect(printed).toContain('Nothing was started.');
  expect((await ask(data, 'y\n')).printed).toContain('[y/N]');
});

test('nobody is asked without a terminal, or where there is nothing to start', async () => {
  expect(await ask(dataFolder(), undefined, listOf(), false)).toEqual({ may: true, printed: '' });
  const nothing = listOf({ 'a.md': '---\nname: a\n---\nA.\n' });
  expect(await ask(dataFolder(), undefined, nothing)).toEqual({ may: true, printed: '' });
});

test('a yes for one folder is none for another', async () => {
  const data = dataFolder();
  await ask(data, 'y\n');
  const other = mkdtempSync(path.join(root, 'other-'));
  const at = terminal(undefined);
  expect(await askTrust(other, listOf(), { terminal: at, file: openTrustFile(data), now })).toBe(false);
});

test('a file that cannot be read counts as empty and is replaced', async () => {
  const data = mkdtempSync(path.join(root, 'broken-'));
  writeFileSync(path.join(data, 'trust.json'), '{ half');
  expect((await ask(data, 'y\n')).printed).toContain('[y/N]');
  expect(JSON.parse(readFileSync(path.join(data, 'trust.json'), 'utf8')).lists).toHaveLength(1);
});

test('a command cannot hide itself from the terminal', () => {
  const command = 'mcp: { servers: { time: { command: sh, args: ["-c", "evil\\e[2K\\rls", "\\u202e"] } } }\n';
  const printed = printCapabilities(listOf({ 'fast-agent.yaml': command }));
  expect(printed).toContain('evil');
  expect(printed.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});
