import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { GET as readBytes } from '@/app/api/v1/projects/[project]/bytes/[hash]/route';
import { POST as sendBytes } from '@/app/api/v1/projects/[project]/bytes/route';
import { PATCH as saveFiles } from '@/app/api/v1/projects/[project]/files/route';
import type { FolderFile } from '@/lib/cards/folder';
import { createProject, openProject } from '@/lib/server/projects';
import { localActor } from '@/lib/testing/local-actor';
import { testDatabase } from '@/lib/testing/postgres';

const { url } = await testDatabase();
beforeAll(() => vi.stubEnv('DATABASE_URL', url));
afterAll(() => vi.unstubAllEnvs());

const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 1]);

async function newProject(files: Record<string, FolderFile> = { 'a.md': { kind: 'text', text: 'a' } }) {
  return (await createProject(localActor, { name: 'Bytes', folder: new Map(Object.entries(files)) })).id;
}

const request = (init: RequestInit = {}) =>
  new Request('http://127.0.0.1:3000/', { ...init, headers: { ...init.headers, host: '127.0.0.1:3000' } });

async function send(project: string, bytes: Uint8Array<ArrayBuffer>) {
  const answer = await sendBytes(request({ method: 'POST', body: bytes }), { params: Promise.resolve({ project }) });
  return { answer, body: z.looseObject({ hash: z.optional(z.string()) }).parse(await answer.json()) };
}

const read = (project: string, hash: string) => readBytes(request(), { params: Promise.resolve({ project, hash }) });

const save = (project: string, baseVersion: number, ...changes: object[]) =>
  saveFiles(request({ method: 'PATCH', body: JSON.stringify({ baseVersion, changes }) }), {
    params: Promise.resolve({ project }),
  });

async function sentence(answer: Response): Promise<string> {
  return z.object({ error: z.object({ message: z.string() }) }).parse(await answer.json()).error.message;
}

test('bytes are sent, named by their hash in a save, and read again', async () => {
  const project = await newProject();
  const { answer, body } = await send(project, png);
  expect([answer.status, body.size]).toEqual([201, png.length]);
  const hash = body.hash ?? '';
  expect(answer.headers.get('location')).toBe(`/api/v1/projects/${project}/bytes/${hash}`);
  expect((await save(project, 1, { path: 'img/logo.png', hash })).status).toBe(200);
  const file = (await openProject(localActor, project)).folder.get('img/logo.png');
  expect(file?.kind === 'binary' && [...file.bytes]).toEqual([...png]);

  const found = await read(project, hash);
  expect([...new Uint8Array(await found.arrayBuffer())]).toEqual([...png]);
  expect(found.headers.get('content-type')).toBe('image/png');
  // The browser asks about them again, with the session of whoever uses it then.
  const again = request({ headers: { 'if-none-match': found.headers.get('etag') ?? '' } });
  const same = await readBytes(again, { params: Promise.resolve({ project, hash }) });
  expect([found.headers.get('cache-control'), same.status]).toEqual(['private, no-cache', 304]);
});

test('a file that could run as a page of this host is only downloaded', async () => {
  const project = await newProject();
  const pages = ['<html><script>1</script>\0', '<svg xmlns="http://www.w3.org/2000/svg">\0', '%PDF-1.7\0'];
  for (const text of pages) {
    const { body } = await send(project, new TextEncoder().encode(text));
    const { headers } = await read(project, body.hash ?? '');
    expect([
      headers.get('content-type'),
      headers.get('content-disposition'),
      headers.get('x-content-type-options'),
    ]).toEqual(['application/octet-stream', 'attachment', 'nosniff']);
  }
});

test('bytes that name a path are kept as they are sent', async () => {
  const project = await newProject();
  const { body } = await send(project, new TextEncoder().encode('{"path":"/etc/passwd"}'));
  const found = await read(project, body.hash ?? '');
  expect([await found.text(), found.headers.get('content-type')]).toEqual([
    '{"path":"/etc/passwd"}',
    'application/octet-stream',
  ]);
});

test('a script saves bytes as base64, and text in base64 becomes a text', async () => {
  const project = await newProject();
  const base64 = Buffer.from(png).toString('base64');
  const text = Buffer.from('hi').toString('base64');
  const saved = await save(project, 1, { path: 'logo.png', base64 }, { path: 'b.txt', base64: text });
  expect(saved.status).toBe(200);
  const { folder } = await openProject(localActor, project);
  expect([folder.get('logo.png')?.kind, folder.get('b.txt')]).toEqual(['binary', { kind: 'text', text: 'hi' }]);
});

test('limits, paths and hashes are checked', async () => {
  const project = await newProject();
  const empty = await send(project, new Uint8Array());
  expect(empty.answer.status).toBe(400);
  const large = await send(project, new Uint8Array(10 * 1024 * 1024 + 1));
  expect(large.answer.status).toBe(413);
  const nobody = await send('none', png);
  expect(nobody.answer.status).toBe(404);

  const { hash = '' } = (await send(project, png)).body;
  expect(await sentence(await save(project, 1, { path: '../logo.png', hash }))).toContain('leads out of the folder');
  expect(await sentence(await save(project, 1, { path: 'a.md/logo.png', hash }))).toContain('both a file and a folder');
  expect((await read(project, 'abc')).status).toBe(400);
  expect((await read(project, '0'.repeat(64))).status).toBe(404);
  const other = await newProject();
  expect((await read(other, hash)).status).toBe(404);
  expect(await sentence(await save(other, 1, { path: 'logo.png', hash }))).toContain('no longer kept');
});

test('bytes that would make the project too large are refused before they are stored', async () => {
  const text = 'x'.repeat(9_900_000);
  const files = [1, 2, 3, 4, 5].map((n) => [`data-${n}.txt`, { kind: 'text', text }] as const);
  const project = await newProject(Object.fromEntries(files));
  const { answer } = await send(project, new Uint8Array(4_000_000));
  expect([answer.status, await read(project, '0'.repeat(64)).then(({ status }) => status)]).toEqual([413, 404]);
});
