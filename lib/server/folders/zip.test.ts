import fc from 'fast-check';
import { type Zippable, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { decodeFile, folderOf } from '@/lib/cards/files';
import type { Folder } from '@/lib/cards/folder';
import { folderLimits } from './folder-limits';
import { readZip, writeZip } from './zip';

const text = (value: string) => new TextEncoder().encode(value);
const code = (wanted: string) => expect.objectContaining({ name: 'AppError', code: wanted });

/** Where the central directory's first entry begins. */
function directoryOf(zip: Uint8Array): number {
  const view = new DataView(zip.buffer, zip.byteOffset, zip.byteLength);
  return view.getUint32(zip.length - 22 + 16, true);
}

test('what is exported is imported byte for byte', () => {
  const part = fc.stringMatching(/^[a-z0-9_é ]{1,8}$/).filter((name) => name.trim() === name);
  const files = fc.uniqueArray(fc.tuple(part, fc.uint8Array({ maxLength: 200 })), { selector: ([name]) => name });
  fc.assert(
    fc.property(files, (entries) => {
      const folder: Folder = new Map(entries.map(([name, bytes]) => [`cards/${name}`, decodeFile(bytes)]));
      const back = readZip(writeZip(folder));
      expect([...back].sort()).toEqual([...folder].sort());
    }),
  );
});

test('the same folder gives the same zip, in whatever order it was made', () => {
  const a = writeZip(folderOf({ 'b.md': 'b', 'a.md': 'a', '10.md': 'x', '9.md': 'y' }));
  const b = writeZip(folderOf({ '9.md': 'y', 'a.md': 'a', '10.md': 'x', 'b.md': 'b' }));
  expect(Buffer.from(a).equals(Buffer.from(b))).toBe(true);
});

test('folders, clutter of tools and a stored file are read as they should be', () => {
  const zip = zipSync({
    'agent-cards/': new Uint8Array(),
    'agent-cards/lead.md': [text('lead'), { level: 0 }],
    '__MACOSX/agent-cards/._lead.md': text('x'),
    '.DS_Store': text('x'),
    'node_modules/a/index.js': text('x'),
  } satisfies Zippable);
  expect(readZip(zip)).toEqual(folderOf({ 'agent-cards/lead.md': 'lead' }));
});

test.each(['../up.md', '/etc/passwd', 'a\\b.md', 'C:/x.md', 'a/../../b'])(
  'a file in a zip with the path %s is refused',
  (path) => {
    expect(() => readZip(zipSync({ [path]: text('x') }))).toThrow(code('bad_request'));
  },
);

test('a bomb is refused by what it declares', () => {
  const large = new Uint8Array(folderLimits.fileBytes + 1);
  expect(() => readZip(zipSync({ 'big.txt': large }))).toThrow(code('too_large'));
  const nine = new Uint8Array(9 * 1024 * 1024);
  const many = Object.fromEntries(Array.from({ length: 6 }, (_, index) => [`${index}.txt`, nine]));
  expect(() => readZip(zipSync(many))).toThrow(code('too_large'));
});

test('a bomb that declares less than it holds is not inflated beyond that', () => {
  const zip = zipSync({ 'big.txt': new Uint8Array(50 * 1024 * 1024) });
  const view = new DataView(zip.buffer, zip.byteOffset, zip.byteLength);
  view.setUint32(directoryOf(zip) + 24, 1_000, true);
  expect(() => readZip(zip)).toThrow(code('bad_request'));
});

test('too many files are refused before any is read', () => {
  const files = Object.fromEntries(
    Array.from({ length: folderLimits.files + 1 }, (_, n) => [`${n}.md`, new Uint8Array()]),
  );
  expect(() => readZip(zipSync(files, { level: 0 }))).toThrow(code('too_large'));
});

test('a symbolic link in a zip is refused', () => {
  const zip = zipSync({ link: [text('/etc/passwd'), { os: 3, attrs: 0o120777 << 16 }] });
  expect(() => readZip(zip)).toThrow(code('bad_request'));
});

test('a damaged file is named', () => {
  const zip = zipSync({ 'a.md': [text('some text that is stored'), { level: 0 }] });
  zip[40] = (zip[40] ?? 0) ^ 0xff;
  expect(() => readZip(zip)).toThrow(/a\.md|zip/);
});

test('what is no zip is refused, whatever its bytes', () => {
  expect(() => readZip(new Uint8Array())).toThrow(code('bad_request'));
  expect(() => readZip(text('hello'))).toThrow(code('bad_request'));
  const valid = zipSync({ 'a.md': text('a'), 'b.md': text('bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb') });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(valid.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 }),
      (changes) => {
        const broken = new Uint8Array(valid);
        for (const [at, value] of changes) broken[at] = value;
        try {
          readZip(broken);
        } catch (error) {
          expect(error).toMatchObject({ name: 'AppError' });
        }
      },
    ),
    { numRuns: 500 },
  );
});
