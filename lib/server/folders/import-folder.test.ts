import { expect, test } from 'vitest';
import { encodeFile } from '@/lib/cards/files';
import { unwrapFolder } from '@/lib/cards/project/unwrap-folder';
import { folderFromFiles } from './import-folder';

const bytes = (text: string) => new TextEncoder().encode(text);
const files = (...paths: string[]) => folderFromFiles(paths.map((path) => [path, bytes(path)] as const));

test('keeps every byte', () => {
  const odd = new Uint8Array([0xef, 0xbb, 0xbf, 0x61, 0x0d, 0x0a, 0xff, 0x00]);
  const folder = folderFromFiles([['a.bin', odd]]);
  const [file] = folder.values();
  expect(file && encodeFile(file)).toEqual(odd);
});

test.each([
  ['a path that climbs out', ['../a.md']],
  ['an absolute path', ['/etc/passwd']],
  ['a path that comes twice', ['a.md', 'a.md']],
  ['a file that is also a folder', ['a', 'a/b.md']],
  ['a folder that is also a file', ['a/b/c.md', 'a/b']],
])('an import refuses %s', (_what, paths) => {
  expect(() => files(...paths)).toThrow(expect.objectContaining({ code: 'bad_request' }));
});

test.each([
  [['repo-main/agent-cards/a.md', 'repo-main/README.md'], 'repo-main', ['agent-cards/a.md', 'README.md']],
  [['my/fast-agent.yaml', 'my/a.md'], 'my', ['fast-agent.yaml', 'a.md']],
  [['my/.fast-agent/agent-cards/a.md', 'my/x.py'], 'my', ['.fast-agent/agent-cards/a.md', 'x.py']],
  [['.fast-agent/agent-cards/a.md'], undefined, ['.fast-agent/agent-cards/a.md']],
  [['agent-cards/a.md', 'agent-cards/b.md'], undefined, ['agent-cards/a.md', 'agent-cards/b.md']],
  [['repo/agent-cards/a.md', 'other.md'], undefined, ['repo/agent-cards/a.md', 'other.md']],
  [['a.md'], undefined, ['a.md']],
  [[], undefined, []],
])('takes a wrapping folder off %j', (paths, wrapper, inside) => {
  const unwrapped = unwrapFolder(files(...paths));
  expect({ wrapper: unwrapped.wrapper, paths: [...unwrapped.folder.keys()] }).toEqual({ wrapper, paths: inside });
});
