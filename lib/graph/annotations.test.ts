import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renameAgent } from '@/lib/cards/edit/rename-agent';
import { renameServer } from '@/lib/cards/edit/rename-server';
import { folderOf } from '@/lib/cards/files';
import type { Folder } from '@/lib/cards/folder';
import { readFolder } from '@/lib/cards/project/read-folder';
import { tries } from '@/lib/testing/tries';
import { addGroup, addNote, moveToGroup, setGroup, setNote } from './annotations';
import { type Command, moveNodes } from './commands';
import { projectGraph } from './project';
import { removeNodes } from './removal';

const card = (name: string, more = '') => `---\nname: ${name}\n${more}---\nDo it.\n`;
const settings = `# Where things are.
version: 1
canvas:
  positions: # by hand
    agent:lead: { x: 0, y: 0 }
`;
const start = folderOf({
  'lead.md': card('lead', 'agents: [kid]\nservers: [time]\n'),
  'kid.md': card('kid'),
  'fast-agent.yaml': 'mcp:\n  servers:\n    time: { command: node, args: [time.mjs] }\n',
  'callboard.yaml': settings,
});

type Edit = (folder: Folder) => Command;

function folderAfter(folder: Folder, ...edits: readonly Edit[]): Folder {
  let now = folder;
  for (const edit of edits) {
    const done = edit(now);
    if (!done.ok) throw new Error(done.error.message);
    const next = new Map(now);
    for (const [path, text] of done.value) {
      if (text === null) next.delete(path);
      else next.set(path, { kind: 'text', text });
    }
    now = next;
  }
  return now;
}

const text = (folder: Folder) => {
  const file = folder.get('callboard.yaml');
  return file?.kind === 'text' ? file.text : undefined;
};
const canvas = (folder: Folder) => readFolder(folder).settings.canvas;
const note =
  (id: string, x = 10.4): Edit =>
  (folder) =>
    addNote(folder, readFolder(folder), { id, text: 'Look', x, y: 20 });
const group =
  (id: string, ...members: string[]): Edit =>
  (folder) =>
    addGroup(folder, readFolder(folder), { id, title: 'Team', members });
const remove =
  (...ids: string[]): Edit =>
  (folder) => {
    const parsed = readFolder(folder);
    return removeNodes(folder, parsed, projectGraph(parsed), ids);
  };

describe('notes', () => {
  test('a note is added after the rest, and only its lines are new', () => {
    const now = text(folderAfter(start, note('n1')));
    expect(now?.startsWith(settings)).toBe(true);
    expect(canvas(folderAfter(start, note('n1'), note('n2'))).notes.map(({ id, x }) => [id, x])).toEqual([
      ['n1', 10],
      ['n2', 10],
    ]);
  });

  test('the first note of a folder without settings makes the file', () => {
    const bare = new Map([...start].filter(([path]) => path !== 'callboard.yaml'));
    expect(canvas(folderAfter(bare, note('n1'))).notes).toEqual([{ id: 'n1', text: 'Look', x: 10, y: 20 }]);
    expect(readFolder(folderAfter(bare, note('n1'))).issues).toEqual(readFolder(bare).issues);
  });

  test('a note is written, resized, moved with other nodes and removed', () => {
    const written = folderAfter(
      start,
      note('n1'),
      (folder) => setNote(folder, readFolder(folder), 'n1', { text: 'Two\nlines: #1', width: 240.7 }),
      (folder) => moveNodes(folder, readFolder(folder), { 'note:n1': { x: 5, y: 6 }, 'agent:lead': { x: 7, y: 8 } }),
    );
    expect(canvas(written)).toEqual({
      positions: { 'agent:lead': { x: 7, y: 8 } },
      notes: [{ id: 'n1', text: 'Two\nlines: #1', x: 5, y: 6, width: 241 }],
      groups: [],
    });
    expect(text(folderAfter(start, note('n1'), remove('note:n1')))).toBe(settings);
  });

  test('a note that is gone is an error that names it', () => {
    const gone = setNote(start, readFolder(start), 'n9', { text: 'x' });
    expect(gone.ok ? '' : gone.error.message).toContain("no note 'n9'");
  });
});

describe('groups', () => {
  test('a node is in one group at most, and a group without members goes', () => {
    const two = folderAfter(start, group('g1', 'agent:lead', 'agent:kid'), group('g2', 'agent:kid'));
    expect(canvas(two).groups.map(({ id, members }) => [id, members])).toEqual([
      ['g1', ['agent:lead']],
      ['g2', ['agent:kid']],
    ]);
    const moved = folderAfter(two, (folder) => moveToGroup(folder, readFolder(folder), ['agent:lead'], 'g2'));
    expect(canvas(moved).groups.map(({ id, members }) => [id, members])).toEqual([['g2', ['agent:kid', 'agent:lead']]]);
    expect(
      text(
        folderAfter(moved, (folder) => moveToGroup(folder, readFolder(folder), ['agent:kid', 'agent:lead'], undefined)),
      ),
    ).toBe(settings);
  });

  test('title, colour and description are set and taken back', () => {
    const set =
      (field: 'title' | 'colour' | 'description', value: string | undefined): Edit =>
      (folder) =>
        setGroup(folder, readFolder(folder), 'g1', field, value);
    const plain = folderAfter(start, group('g1', 'agent:kid'));
    const full = folderAfter(
      plain,
      set('title', 'Research'),
      set('colour', 'blue'),
      set('description', 'Finds facts.'),
    );
    expect(canvas(full).groups).toEqual([
      { id: 'g1', title: 'Research', colour: 'blue', description: 'Finds facts.', members: ['agent:kid'] },
    ]);
    expect(text(folderAfter(full, set('title', 'Team'), set('colour', undefined), set('description', '')))).toBe(
      text(plain),
    );
  });

  test('members follow when an agent or a server is renamed, and leave when it is removed', () => {
    const grouped = folderAfter(start, group('g1', 'agent:lead', 'agent:kid', 'server:time'));
    const renamed = folderAfter(
      grouped,
      (folder) => renameAgent(folder, 'kid', 'child'),
      (folder) => renameServer(folder, 'time', 'clock'),
    );
    expect(canvas(renamed).groups[0]?.members).toEqual(['agent:lead', 'agent:child', 'server:clock']);
    expect(canvas(folderAfter(grouped, remove('agent:kid', 'server:time'))).groups[0]?.members).toEqual(['agent:lead']);
    expect(canvas(folderAfter(grouped, remove('group:g1')))).toEqual(canvas(start));
  });

  test('an empty group is refused', () => {
    expect(addGroup(start, readFolder(start), { id: 'g', title: 'T', members: [] }).ok).toBe(false);
  });
});

test('whatever is done to notes and groups, graph and cards stay, and removing all gives the first bytes', () => {
  const id = fc.constantFrom('a', 'b', 'c');
  const member = fc.constantFrom('agent:lead', 'agent:kid', 'server:time', 'note:a', 'note:b');
  const edit: fc.Arbitrary<Edit> = fc.oneof(
    id.map((each) => note(each)),
    fc.tuple(id, fc.uniqueArray(member, { minLength: 1 })).map(([each, members]) => group(each, ...members)),
    fc.tuple(id, fc.string()).map(
      ([each, words]): Edit =>
        (folder) =>
          setNote(folder, readFolder(folder), each, { text: words }),
    ),
    fc.tuple(id, fc.string()).map(
      ([each, words]): Edit =>
        (folder) =>
          setGroup(folder, readFolder(folder), each, 'description', words),
    ),
    fc.tuple(fc.uniqueArray(member, { minLength: 1 }), fc.option(id, { nil: undefined })).map(
      ([members, each]): Edit =>
        (folder) =>
          moveToGroup(folder, readFolder(folder), members, each),
    ),
    fc.tuple(id, fc.nat(500), fc.nat(500)).map(
      ([each, x, y]): Edit =>
        (folder) =>
          moveNodes(folder, readFolder(folder), { [`note:${each}`]: { x, y } }),
    ),
    id.map((each) => remove(`note:${each}`, `group:${each}`)),
  );
  const all = ['a', 'b', 'c'].flatMap((each) => [`note:${each}`, `group:${each}`]);
  fc.assert(
    fc.property(fc.array(edit, { maxLength: 20 }), (edits) => {
      let now = start;
      for (const each of edits) if (each(now).ok) now = folderAfter(now, each);
      const { issues, cards } = readFolder(now);
      expect(issues).toEqual(readFolder(start).issues);
      expect(cards).toEqual(readFolder(start).cards);
      expect(projectGraph(readFolder(now))).toEqual(projectGraph(readFolder(start)));
      expect(text(folderAfter(now, remove(...all, ...all)))).toBe(settings);
    }),
    { numRuns: tries(60) },
  );
});
