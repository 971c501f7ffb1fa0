import { expect, test } from 'vitest';
import { textFile } from './document';
import { createEditing } from './editing';
import { fileCommands } from './file-commands';
import { createProjectStore } from './project-store';
import type { Uploaded } from './services';
import { uploadCommands } from './upload-commands';

function open(answer: Uploaded) {
  const project = createProjectStore(
    { projectId: 'p', name: 'P', saved: { version: 1, folder: new Map([['a.md', textFile('a')]]) }, layoutPoints: {} },
    {
      save: async (version) => ({ kind: 'saved', version: version + 1 }),
      now: () => 0,
      nextFrame: (work) => work(),
      tryReading: async () => undefined,
    },
  );
  const { addFiles } = fileCommands(createEditing(project), project.actions);
  const { upload } = uploadCommands(project.actions, { uploadBytes: async () => answer }, addFiles, () => {});
  return { ...project, upload };
}

const picture = { kind: 'stored', hash: 'h', size: 2 } as const;
const chosen = (path: string, bytes: readonly number[], size = bytes.length) => ({
  path,
  size,
  read: async () => new Uint8Array(bytes),
});

test('a text becomes a text, other bytes become a stored file, in one undo step', async () => {
  const { store, actions, upload } = open({ ok: true, file: picture });
  await upload([chosen('notes.txt', [104, 105]), chosen('logo.png', [0, 1])]);
  const { document, notice } = store.getState();
  expect([...document.folder]).toEqual([
    ['a.md', textFile('a')],
    ['notes.txt', textFile('hi')],
    ['logo.png', picture],
  ]);
  expect([document.past.map(({ label }) => label), notice]).toEqual([['Upload 2 files'], undefined]);
  actions.undo();
  expect([...store.getState().document.folder.keys()]).toEqual(['a.md']);
});

test('one file is opened when it is there', async () => {
  const { store, upload } = open({ ok: true, file: picture });
  await upload([chosen('img/logo.png', [0, 1])]);
  expect(store.getState()).toMatchObject({ openFile: 'img/logo.png', textView: 'wide' });
});

test('what cannot be added is named with its reason, and the others are added', async () => {
  const { store, upload } = open({ ok: false, message: 'The disk is full.' });
  await upload([
    chosen('ok.txt', [65]),
    chosen('logo.png', [0, 1]),
    chosen('huge.bin', [0], 10 * 1024 * 1024 + 1),
    chosen('../out.txt', [65]),
    { path: 'gone.txt', size: 1, read: () => Promise.reject(new Error('gone')) },
  ]);
  const { document, notice } = store.getState();
  expect([...document.folder.keys()]).toEqual(['a.md', 'ok.txt']);
  expect(notice?.tone).toBe('bad');
  expect(notice?.text).toContain('logo.png: The disk is full.');
  expect(notice?.text).toContain('huge.bin: It is larger than 10 MB.');
  expect(notice?.text).toContain('leads out of the folder');
  expect(notice?.text).toContain('gone.txt: The browser could not read it.');
});
