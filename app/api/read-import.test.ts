import { zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { encodeFile } from '@/lib/cards/files';
import { writeZip } from '@/lib/server/folders/zip';
import { readImport } from './read-import';

const odd = new Uint8Array([0xef, 0xbb, 0xbf, 0x61, 0x0d, 0x0a, 0xff, 0x00, 0x22]);
const card = '---\nname: a\n---\nHi\r\n';

const post = (body: BodyInit, type?: string, query = '') =>
  new Request(`http://localhost:3000/api/v1/projects${query}`, {
    method: 'POST',
    body,
    headers: type ? { 'content-type': type } : {},
  });

async function read(request: Request) {
  const { name, folder } = await readImport(request, new URL(request.url).searchParams.get('name') ?? undefined);
  return { name, files: Object.fromEntries([...folder].map(([path, file]) => [path, [...encodeFile(file)]])) };
}

const bytes = (text: string) => [...new TextEncoder().encode(text)];

test('JSON: text as it is, bytes as base64', async () => {
  const files = { 'a.md': card, 'b.bin': { base64: Buffer.from(odd).toString('base64') } };
  const request = post(JSON.stringify({ name: 'P', files }), 'application/json; charset=utf-8');
  expect(await read(request)).toEqual({ name: 'P', files: { 'a.md': bytes(card), 'b.bin': [...odd] } });
});

test('zip: without the folder it is wrapped in, which gives the name', async () => {
  const zip = new Uint8Array(zipSync({ 'pmo/agent-cards/a.md': new Uint8Array(bytes(card)), 'pmo/b.bin': odd }));
  const files = { 'agent-cards/a.md': bytes(card), 'b.bin': [...odd] };
  expect(await read(post(zip, 'application/zip'))).toEqual({ name: 'pmo', files });
  expect(await read(post(zip, 'application/zip', '?name=Mine'))).toEqual({ name: 'Mine', files });
});

test('form: paths in the order of the files, any character in them', async () => {
  const form = new FormData();
  const paths = ['agent-cards/a.md', 'x/zażółć "q" %22.bin'];
  form.set('name', 'P');
  form.set('paths', JSON.stringify(paths));
  form.append('files', new Blob([card]), 'a.md');
  form.append('files', new Blob([odd]), 'b.bin');
  expect(await read(post(form))).toEqual({
    name: 'P',
    files: { [paths[0] ?? '']: bytes(card), [paths[1] ?? '']: [...odd] },
  });
});

test('form: without paths a file is called as it is named, a single zip is opened', async () => {
  const plain = new FormData();
  plain.append('files', new Blob([card]), 'agent-cards/a.md');
  expect(await read(post(plain))).toEqual({ name: undefined, files: { 'agent-cards/a.md': bytes(card) } });
  const zipped = new FormData();
  zipped.append('files', new Blob([new Uint8Array(zipSync({ 'a.md': odd }))]), 'Folder.zip');
  expect(await read(post(zipped))).toEqual({ name: 'Folder', files: { 'a.md': [...odd] } });
});

const emptyZip = new Uint8Array(zipSync({ 'nothing/': new Uint8Array(), '.DS_Store': odd }));

test('a zip without files is refused by its name', async () => {
  const form = new FormData();
  form.append('files', new Blob([emptyZip]), 'Folder.zip');
  const what = 'has no files of a project. Put the folder with its files into a zip and import that.';
  await expect(read(post(form))).rejects.toMatchObject({ code: 'bad_request', message: `"Folder.zip" ${what}` });
  await expect(read(post(emptyZip, 'application/zip', '?name=Mine'))).rejects.toMatchObject({
    code: 'bad_request',
    message: `The zip ${what}`,
  });
});

const mismatched = new FormData();
mismatched.set('paths', '["a", "b"]');
mismatched.append('files', new Blob(['x']), 'a');

test.each([
  ['a path that climbs out', post('{"files": {"../a": "x"}}', 'application/json'), 'bad_request'],
  ['a file that is neither text nor bytes', post('{"files": {"a": 5}}', 'application/json'), 'bad_request'],
  ['bytes that are not base64', post('{"files": {"a": {"base64": "%"}}}', 'application/json'), 'bad_request'],
  ['a damaged zip', post('PK nonsense', 'application/zip'), 'bad_request'],
  ['a form without its boundary', post('x', 'multipart/form-data'), 'bad_request'],
  ['fewer files than paths', post(mismatched), 'bad_request'],
  ['another type', post('x', 'text/csv'), 'unsupported'],
])('refuses %s', async (_what, request, code) => {
  await expect(readImport(request, undefined)).rejects.toMatchObject({ code });
});

test('JSON: what would be lost on the way is refused', async () => {
  const json = (files: string) => read(post(`{"files": ${files}}`, 'application/json'));
  await expect(json('{"a.md": "half \\ud800"}')).rejects.toMatchObject({ code: 'bad_request' });
  await expect(json('[]')).rejects.toMatchObject({ code: 'bad_request' });
  expect(await read(post('{"name": "Empty"}', 'application/json'))).toEqual({ name: 'Empty', files: {} });
});

test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
  'a file may be called %j, however it is sent',
  async (name) => {
    const expected = { [`x/${name}`]: bytes('b'), 'a.md': bytes('c'), ...Object.fromEntries([[name, bytes('a')]]) };
    const form = new FormData();
    form.set('paths', JSON.stringify([name, `x/${name}`, 'a.md']));
    for (const text of ['a', 'b', 'c']) form.append('files', new Blob([text]), 'a');
    const folder = new Map(
      [name, `x/${name}`, 'a.md'].map((path, index) => [path, { kind: 'text', text: 'abc'.charAt(index) }] as const),
    );
    const requests = [
      post(`{"files": {"${name}": "a", "x/${name}": "b", "a.md": "c"}}`, 'application/json'),
      post(new Uint8Array(writeZip(folder)), 'application/zip'),
      post(form),
    ];
    for (const request of requests) {
      const { files } = await read(request);
      expect(Object.entries(files).sort()).toEqual(Object.entries(expected).sort());
    }
  },
);

test.each([
  { files: [{ filepath: '/etc/passwd', originalFilename: 'a.md', mimetype: 'text/plain' }] },
  { files: { 'a.md': { filepath: '/etc/passwd' } } },
  { files: { 'a.md': { path: '/etc/passwd' } } },
])('JSON that describes an upload is none, whatever type it is said to have: %j', async (upload) => {
  for (const type of [
    'application/json',
    'multipart/form-data; boundary=x',
    'application/zip',
    'text/plain',
    undefined,
  ]) {
    const refusal = readImport(post(JSON.stringify(upload), type), undefined);
    await expect(refusal).rejects.toMatchObject({ code: expect.stringMatching(/^(?:bad_request|unsupported)$/) });
  }
});

test.each(['../../a.md', '/tmp/a.md', 'C:\\a.md', '..\\a.md', 'a/../../a.md', 'a\0.md', './a.md'])(
  'the path %j of a file leads nowhere, in JSON and in a form',
  async (name) => {
    const form = new FormData();
    form.append('files', new Blob(['x']), 'a.md');
    form.append('paths', JSON.stringify([name]));
    for (const request of [post(JSON.stringify({ files: { [name]: 'x' } }), 'application/json'), post(form)]) {
      await expect(readImport(request, undefined)).rejects.toMatchObject({ code: 'bad_request' });
    }
  },
);
