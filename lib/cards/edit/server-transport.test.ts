import { expect, it } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { replaceServer, setServerKey, setTransport } from './server-transport';

type Change = ReturnType<typeof setTransport>;

/** The entry after a change, and the faults of the file. */
function after(entry: string, change: (folder: ReturnType<typeof folderOf>) => Change) {
  const folder = folderOf({ 'fast-agent.yaml': `mcp:\n  servers:\n    s: # kept\n${entry}` });
  const changed = change(folder);
  if (!changed.ok) throw new Error(changed.error.message);
  const text = changed.value.get('fast-agent.yaml') ?? '';
  const { issues } = readFolder(folderOf({ 'fast-agent.yaml': text }));
  return { text: text.replace('mcp:\n  servers:\n    s: # kept\n', ''), faults: issues.map(({ message }) => message) };
}

const to = (transport: 'stdio' | 'http' | 'sse') => (folder: ReturnType<typeof folderOf>) =>
  setTransport(folder, readFolder(folder), 's', transport);

it('a program becomes an address and back, and the file can be read each time', () => {
  const program = '      command: node\n      args: [a.mjs]\n      read_timeout_seconds: 5\n';
  const asHttp = after(program, to('http'));
  expect(asHttp.text).toBe('      read_timeout_seconds: 5\n      url: http://127.0.0.1:8000/mcp\n');
  expect(after(asHttp.text, to('sse')).text).toBe(`${asHttp.text}      transport: sse\n`);
  const back = after(`${asHttp.text}      headers: { A: b }\n`, to('stdio'));
  expect(back.text).toBe('      read_timeout_seconds: 5\n      command: npx\n');
  expect([asHttp.faults, back.faults]).toEqual([
    [],
    ["Server 's' runs 'npx' without naming a package, so no server starts. Add it to 'args'."],
  ]);
});

it('an address keeps its url from http to sse', () => {
  const address = '      url: https://example.com/mcp\n      headers: { A: b }\n';
  expect(after(address, to('sse'))).toEqual({ text: `${address}      transport: sse\n`, faults: [] });
});

it('the shorthand target is spelled out before one of its parts changes', () => {
  const set = (key: string, value: string) => (folder: ReturnType<typeof folderOf>) =>
    setServerKey(folder, readFolder(folder), 's', key, value);
  const changed = after("      target: 'npx tool --fast'\n", set('command', 'node'));
  expect(changed.faults).toEqual([]);
  expect(changed.text).toContain('command: node');
  expect(changed.text).toMatch(/args:.*tool.*--fast/s);
  expect(after("      target: 'npx tool'\n", set('cwd', 'tools')).text).toContain("target: 'npx tool'");
});

const program = '      command: npx\n      args: [old]\n      env: { TOKEN: a, KEEP: b }\n      cwd: sub\n';
const address = '      url: https://a.test/mcp\n      headers: { Authorization: "Bearer x" }\n';

it.each([
  ['a command', program, { command: 'uvx', args: ['y'] }, program.replace('npx', 'uvx').replace('old', 'y')],
  ['a command alone', program, { command: 'y' }, program.replace('npx', 'y').replace('      args: [old]\n', '')],
  ['another path', address, { url: 'https://a.test/v2' }, address.replace('/mcp', '/v2')],
  ['no encryption', address, { url: 'http://a.test/mcp' }, '      url: http://a.test/mcp\n'],
  ['another host', address, { url: 'https://b.test/mcp' }, '      url: https://b.test/mcp\n'],
  ['a command in place of an address', address, { command: 'y' }, '      command: y\n'],
])('%s that is pasted into a server replaces only what it names', (_, entry, pasted, expected) => {
  expect(after(entry, (folder) => replaceServer(folder, readFolder(folder), 's', pasted)).text).toBe(expected);
});
