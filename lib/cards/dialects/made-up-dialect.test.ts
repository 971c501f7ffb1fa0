import { afterAll, beforeAll, expect, test } from 'vitest';
import { editCard } from '@/lib/cards/edit/edit';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import type { Dialect, DialectForm } from './form/dialect';
import { dialects } from './list';

/** A program of one agent per `.robot` folder file: `who` is its name, `brain` its model. Nothing but this and a line in the list is needed. */
const robot: DialectForm = {
  role: 'card',
  syntax: 'front-matter',
  always: { type: 'agent' },
  withoutFile: false,
  unknown: 'no field of a robot.',
  noPlace: (field) => `A robot has no '${field}'.`,
  fields: [
    {
      name: 'who',
      use: 'works',
      why: 'the name',
      gives: ['name'],
      read: (value, card) => {
        card.name = value;
      },
      write: ({ name }) => (typeof name === 'string' ? name : undefined),
    },
    {
      name: 'brain',
      use: 'works',
      why: 'the model',
      gives: ['model'],
      read: (value, card) => {
        card.model = value;
      },
      write: ({ model }) => (typeof model === 'string' ? model : undefined),
    },
    { name: 'arms', use: 'cannot-run', why: 'nothing here has arms.', gives: [] },
  ],
};

const robots: Dialect = {
  id: 'robots',
  name: 'Robots',
  directory: '.robots',
  mainFile: undefined,
  configFile: undefined,
  home: '.robots',
  rootNames: ['.robots'],
  formOf: (path) => (path.startsWith('.robots/') ? robot : undefined),
  together: ({ agents }) => ({ cards: agents.map(({ card }) => card), notes: [] }),
};

// The list is read at each use, so that one more entry is all that a dialect needs.
beforeAll(() => {
  Array.prototype.push.call(dialects, robots);
});
afterAll(() => {
  Array.prototype.pop.call(dialects);
});

test('a dialect is one folder and one line: its files are read, told, and edited in place', () => {
  const file = '.robots/arm.md';
  const text = '---\nwho: Arm  # ours\nbrain: haiku\narms: 2\n---\nLift.\n';
  const parsed = readFolder(folderOf({ [file]: text }));
  expect(parsed.dialect).toBe('robots');
  expect(parsed.cards).toMatchObject([{ file, name: 'Arm', model: 'haiku', instruction: 'Lift.' }]);
  expect(parsed.issues).toMatchObject([{ code: 'dialect-cannot-run', file, line: 4 }]);
  const edited = editCard(text, file, { op: 'set', path: ['model'], value: 'opus' });
  expect(edited.ok && edited.value).toBe(text.replace('haiku', 'opus'));
  expect(editCard(text, file, { op: 'set', path: ['servers'], value: ['x'] })).toMatchObject({
    error: { message: "A robot has no 'servers'." },
  });
});
