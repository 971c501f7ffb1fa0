import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { GET as readBytes } from '@/app/api/v1/projects/[project]/bytes/[hash]/route';
import { POST as sendBytes } from '@/app/api/v1/projects/[project]/bytes/route';
import { GET } from '@/app/api/v1/projects/[project]/files/route';
import { GET as readProject } from '@/app/api/v1/projects/[project]/route';
import type { ProjectId } from '@/lib/base/ids';
import type { Folder, FolderFile, LoadedFile } from '@/lib/cards/folder';
import { folderOfFiles, wireFilesOf } from '@/lib/client/wire-files';
import type { FileChanges } from '@/lib/editor/document';
import { findDraft, keepDraft } from '@/lib/editor/draft';
import { createProjectStore } from '@/lib/editor/project-store';
import { uploadCommands } from '@/lib/editor/upload-commands';
import { createProject, openInEditor, openProject } from '@/lib/server/projects';
import { collectTrees } from '@/lib/store/collect-trees';
import { localActor } from '@/lib/testing/local-actor';
import { memoryStorage } from '@/lib/testing/memory-storage';
import { testDatabase } from '@/lib/testing/postgres';
import { tries } from '@/lib/testing/tries';
import { editorServices } from './editor-services';

const { url, store } = await testDatabase();

const picture: LoadedFile = { kind: 'binary', bytes: new Uint8Array([0x89, 0x50, 0, 255, 254]) };
const sound: LoadedFile = { kind: 'binary', bytes: new Uint8Array([0, 1, 2]) };
const opened: Folder = new Map<string, FolderFile>([
  ['agent-cards/lead.md', { kind: 'text', text: '---\nname: lead\n---\nLead.\n' }],
  ['note.txt', { kind: 'text', text: 'note' }],
  ['logo.png', picture],
  ['copy/logo.png', picture],
  ['bell.wav', sound],
]);

// Outside of Next an action has no request of its own.
vi.mock('next/headers', () => ({ headers: () => Promise.resolve(new Headers({ host: '127.0.0.1:3000' })) }));

/** The editor's requests reach the route handlers and the actions themselves. */
beforeAll(() => {
  vi.stubEnv('DATABASE_URL', url);
  vi.stubGlobal('fetch', (address: string, init: RequestInit = {}) => {
    const target = new URL(address, 'http://127.0.0.1:3000');
    const request = new Request(target, { ...init, headers: { ...init.headers, host: target.host } });
    const [project = '', what, hash = ''] = target.pathname.split('/').slice(4).map(decodeURIComponent);
    const params = Promise.resolve({ project, hash });
    if (what === 'bytes') return hash === '' ? sendBytes(request, { params }) : readBytes(request, { params });
    return (what === 'files' ? GET : readProject)(request, { params });
  });
});
afterAll(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

/** An editor in one browser tab; `reload` is what closing and opening the page does. */
async function openTab(id: ProjectId) {
  const storage = memoryStorage();
  const place = { projectId: id, windowId: 'tab' };
  const services = editorServices(id);
  async function load() {
    const { name, version, folder } = await openInEditor(localActor, id);
    const saved = { version, folder: folderOfFiles(wireFilesOf(folder)) };
    const tab = createProjectStore(
      { projectId: id, name, saved, layoutPoints: {} },
      { save: services.save, now: () => 0, nextFrame: (work) => work(), tryReading: async () => undefined },
    );
    const draft = findDraft(storage, place);
    tab.actions.restore({ draft });
    return tab;
  }
  let tab = await load();
  return {
    state: () => tab.store.getState(),
    edit: (changes: FileChanges) => tab.actions.edit(changes, { label: 'Edit' }),
    async upload(path: string, bytes: Uint8Array<ArrayBuffer>) {
      const add = (files: FileChanges) => tab.actions.edit(files, { label: 'Upload' });
      const { upload } = uploadCommands(tab.actions, services, add, () => {});
      await upload([{ path, size: bytes.length, read: async () => bytes }]);
    },
    undo: () => tab.actions.undo(),
    redo: () => tab.actions.redo(),
    save: () => tab.actions.save(),
    resolve: (choices: ReadonlyMap<string, 'mine' | 'theirs'>) => tab.actions.resolveConflict(choices),
    async reload() {
      const { saved, document } = tab.store.getState();
      keepDraft(storage, place, saved, document.folder);
      tab = await load();
    },
  };
}

/** What the server has, with the bytes that the editor's hashes name. */
async function shown(folder: Folder): Promise<Record<string, FolderFile>> {
  const blobs = new Map((await store.prisma.blob.findMany()).map(({ hash, bytes }) => [hash, [...bytes]]));
  return Object.fromEntries(
    [...folder].map(([path, file]) => [
      path,
      file.kind === 'stored' ? { kind: 'binary', bytes: new Uint8Array(blobs.get(file.hash) ?? []) } : file,
    ]),
  );
}

async function expectSaved(id: ProjectId, folder: Folder) {
  const { folder: kept } = await openProject(localActor, id);
  const plain = Object.fromEntries(
    [...kept].map(([path, file]) => [
      path,
      file.kind === 'binary' ? { kind: 'binary', bytes: new Uint8Array(file.bytes) } : file,
    ]),
  );
  expect(plain).toEqual(await shown(folder));
}

test('a picture that was removed, saved, brought back and saved has its bytes again', async () => {
  const { id } = await createProject(localActor, { name: 'Loss', folder: opened });
  const tab = await openTab(id);
  tab.edit(new Map([['logo.png', undefined]]));
  expect(await tab.save()).toBe(true);
  await collectTrees(store, 0);
  tab.undo();
  expect(tab.state().dirty).toBe(true);
  expect(await tab.save()).toBe(true);
  expect((await openProject(localActor, id)).folder.get('logo.png')).toMatchObject({ kind: 'binary' });
  await expectSaved(id, opened);
});

test('a sound that was replaced by a text, saved, brought back and saved has its bytes again', async () => {
  const { id } = await createProject(localActor, { name: 'Replaced', folder: opened });
  const tab = await openTab(id);
  tab.edit(new Map([['bell.wav', { kind: 'text', text: '' }]]));
  expect(await tab.save()).toBe(true);
  await collectTrees(store, 0);
  tab.undo();
  expect(await tab.save()).toBe(true);
  await expectSaved(id, opened);
});

test('a picture that was uploaded and not saved survives a reload and the collection of unused files', async () => {
  const { id } = await createProject(localActor, { name: 'Upload', folder: opened });
  const tab = await openTab(id);
  await tab.upload('new/photo.jpg', new Uint8Array([0xff, 0xd8, 0xff, 0, 7]));
  await collectTrees(store, 0);
  await tab.reload();
  const { folder } = tab.state().document;
  expect(folder.get('new/photo.jpg')).toMatchObject({ kind: 'stored', size: 5 });
  expect(await tab.save()).toBe(true);
  await expectSaved(id, folder);
});

test('of two windows that upload one picture, the second asks, and either choice is saved', async () => {
  const { id } = await createProject(localActor, { name: 'Both', folder: opened });
  const [first, second] = [await openTab(id), await openTab(id)];
  await first.upload('logo.png', new Uint8Array([0, 1]));
  await second.upload('logo.png', new Uint8Array([0, 2]));
  expect(await first.save()).toBe(true);
  expect(await second.save()).toBe(false);
  expect(second.state().conflict).toBeDefined();
  expect(await second.resolve(new Map([['logo.png', 'theirs']]))).toBe(true);
  await expectSaved(id, first.state().document.folder);
  second.undo();
  expect(await second.save()).toBe(true);
  expect((await openProject(localActor, id)).folder.get('logo.png')).toMatchObject({ bytes: new Uint8Array([0, 2]) });
});

test('a hash of another project opens nothing', async () => {
  const { id: theirs } = await createProject(localActor, {
    name: 'Theirs',
    folder: new Map<string, FolderFile>([['secret.bin', sound]]),
  });
  const { id } = await createProject(localActor, {
    name: 'Mine',
    folder: new Map([['a.txt', { kind: 'text', text: 'a' }]]),
  });
  const secret = (await openInEditor(localActor, theirs)).folder.get('secret.bin');
  const tab = await openTab(id);
  tab.edit(new Map([['stolen.bin', secret]]));
  expect(await tab.save()).toBe(false);
  expect(tab.state().notice?.text).toContain('no longer kept');
  expect([...(await openProject(localActor, id)).folder.keys()]).toEqual(['a.txt']);
});

const paths = [...opened.keys(), 'new.md'];
const step = fc.oneof(
  fc.record({ do: fc.constant('remove' as const), path: fc.constantFrom(...paths) }),
  fc.record({ do: fc.constant('write' as const), path: fc.constantFrom(...paths), text: fc.string({ maxLength: 5 }) }),
  fc.record({ do: fc.constant('upload' as const), path: fc.constantFrom(...paths), byte: fc.nat(3) }),
  fc.record({ do: fc.constant('move' as const), path: fc.constantFrom(...paths), to: fc.constantFrom(...paths) }),
  fc.record({ do: fc.constantFrom('undo' as const, 'redo' as const, 'save' as const, 'reload' as const) }),
);

test('any edits, saves, undos and reloads end with the bytes that the editor shows', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
      const { id } = await createProject(localActor, { name: 'Any', folder: opened });
      const tab = await openTab(id);
      for (const one of steps) {
        const { folder } = tab.state().document;
        if (one.do === 'remove') tab.edit(new Map([[one.path, undefined]]));
        else if (one.do === 'write') tab.edit(new Map([[one.path, { kind: 'text', text: one.text }]]));
        else if (one.do === 'upload') await tab.upload(one.path, new Uint8Array([0, one.byte]));
        else if (one.do === 'move')
          tab.edit(
            new Map([
              [one.path, undefined],
              [one.to, folder.get(one.path)],
            ]),
          );
        else await tab[one.do]();
      }
      const { folder } = tab.state().document;
      expect(await tab.save()).toBe(true);
      await expectSaved(id, folder);
    }),
    { numRuns: tries(40) },
  );
});

// The last: its files are large, and the tests above read all that is stored.
test('a save that would make the project too large says so, keeps what was written, and goes once there is room', async () => {
  const large = { kind: 'text', text: 'x'.repeat(9_900_000) } as const;
  const files = [1, 2, 3, 4, 5].map((number) => [`data-${number}.txt`, large] as const);
  const { id } = await createProject(localActor, { name: 'Full', folder: new Map<string, FolderFile>(files) });
  const tab = await openTab(id);
  const written = { kind: 'text', text: 'y'.repeat(4_000_000) } as const;
  tab.edit(new Map([['more.txt', written]]));
  expect(await tab.save()).toBe(false);
  expect(tab.state().notice?.text).toMatch(
    /at most 50 MB together, and with this save they would have 51.1 MB. Nothing/,
  );
  expect(tab.state().dirty).toBe(true);
  await tab.reload();
  expect(tab.state().document.folder.get('more.txt')).toEqual(written);
  tab.edit(new Map([['data-1.txt', undefined]]));
  expect(await tab.save()).toBe(true);
  expect([...(await openProject(localActor, id)).folder.keys()].sort()).toEqual([
    'data-2.txt',
    'data-3.txt',
    'data-4.txt',
    'data-5.txt',
    'more.txt',
  ]);
});
