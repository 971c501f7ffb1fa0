import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import type { Folder } from '@/lib/cards/folder';
import { textAt, textFile } from './document';
import { createProjectStore } from './project-store';

const files = {
  'lead.md': '---\nname: lead\nagents: [writer]\n---\nLead.\n',
  'writer.md': '---\nname: writer\nmodel: passthrough\n---\nWrite.\n',
  'callboard.yaml':
    'version: 1\nentry: lead\ndelegations:\n  lead:\n    writer:\n      session: reuse\ncanvas:\n  positions:\n    agent:writer: {x: 40, y: 50}\n',
};

function open(more: Readonly<Record<string, string>> = {}) {
  let now = 0;
  const project = createProjectStore(
    { projectId: 'p', name: 'P', saved: { version: 1, folder: folderOf({ ...files, ...more }) }, layoutPoints: {} },
    {
      save: async (version) => ({ kind: 'saved', version }),
      // Each key comes after a pause that ends a burst of typing.
      now: () => (now += 5_000),
      nextFrame: (work) => work(),
      tryReading: async () => undefined,
    },
  );
  const state = project.store.getState;
  const text = (file: string) => textAt(state().document.folder, file) ?? '';
  const names = () => [...state().picture.nodes.values()].map((node) => node.name);
  /** Types a new name letter by letter: the old one is deleted first. */
  const retype = (file: string, from: string, to: string) => {
    const steps = [
      ...Array.from(from, (_, n) => from.slice(0, from.length - 1 - n)),
      ...Array.from(to, (_, n) => to.slice(0, n + 1)),
    ];
    let before = from;
    for (const step of steps) {
      project.actions.typeText(file, text(file).replace(`name: ${before}\n`, `name: ${step}\n`));
      before = step;
      yield_(step);
    }
  };
  const seen: string[] = [];
  const yield_ = (_: string) => {
    seen.push(names().join(','));
  };
  return { ...project, state, text, names, retype, seen };
}

const texts = (folder: Folder) => Object.fromEntries([...folder].map(([path]) => [path, textAt(folder, path)]));

describe('a name that is typed in the text of its card', () => {
  test('is drawn as before, marked stale, until the cursor leaves the line; then references follow', () => {
    const { actions, state, text, names, retype, seen } = open();
    retype('writer.md', 'writer', 'author');
    expect(new Set(seen)).toEqual(new Set(['lead,writer']));
    expect(state().picture.stale.has('writer.md')).toBe(true);
    expect(text('lead.md')).toBe(files['lead.md']);
    actions.settleName();
    expect(names()).toEqual(['author', 'lead']);
    expect(text('author.md')).toBe(files['writer.md'].replace('writer', 'author'));
    expect(state().picture.stale.size).toBe(0);
    expect(state().picture.parsed.issues).toEqual([]);
    expect(text('lead.md')).toBe(files['lead.md'].replace('writer', 'author'));
    expect(text('callboard.yaml')).toBe(files['callboard.yaml'].replaceAll('writer', 'author'));
    expect(state().points['agent:author']).toEqual({ x: 40, y: 50 });
  });

  test('is one undo step with its references', () => {
    const { actions, state, retype } = open();
    const before = texts(state().document.folder);
    retype('writer.md', 'writer', 'author');
    actions.settleName();
    const after = texts(state().document.folder);
    expect(state().document.past.length).toBe(1);
    actions.undo();
    expect(texts(state().document.folder)).toEqual(before);
    actions.redo();
    expect(texts(state().document.folder)).toEqual(after);
  });

  test('leaves references alone when another agent has the old or the new name', () => {
    const other = { 'critic.md': '---\nname: critic\n---\nRate.\n' };
    const { actions, state, text, retype } = open(other);
    retype('writer.md', 'writer', 'critic');
    actions.settleName();
    expect(text('lead.md')).toBe(files['lead.md']);
    expect(state().picture.parsed.issues.map((issue) => issue.code)).toContain('duplicate-name');
  });

  test('counts at once when more than its line has changed', () => {
    const { actions, state, text, names } = open();
    actions.typeText('writer.md', '---\nname: poet\n---\nPoems.\n');
    expect(state().typedName).toBeUndefined();
    expect(text('lead.md')).toBe(files['lead.md']);
    expect(names()).toContain('poet');
  });

  test('taken back leaves nothing', () => {
    const { actions, state, text, retype } = open();
    retype('writer.md', 'writer', 'wri');
    retype('writer.md', 'wri', 'writer');
    actions.settleName();
    expect(text('writer.md')).toBe(files['writer.md']);
    expect(state().picture.stale.size).toBe(0);
  });

  test('any name that can be typed keeps the folder without problems', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z][A-Za-z0-9_-]{0,11}$/), (name) => {
        const { actions, state, retype } = open();
        retype('writer.md', 'writer', name);
        actions.settleName();
        const codes = state().picture.parsed.issues.map((issue) => issue.code);
        // YAML reads some words as other values, which the checker says.
        fc.pre(!['lead', 'yes', 'no', 'on', 'off', 'y', 'n', 'true', 'false', 'null'].includes(name.toLowerCase()));
        expect(codes).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });
});

describe('a name that is typed while the card cannot be read', () => {
  const broken = (name: string) => `---\nname: ${name}\nmodel: [passthrough\n---\nWrite.\n`;
  const corrected = (name: string) => `---\nname: ${name}\nmodel: passthrough\n---\nWrite.\n`;
  const followed = {
    'lead.md': files['lead.md'].replace('writer', 'author'),
    'author.md': corrected('author'),
    'callboard.yaml': files['callboard.yaml'].replaceAll('writer', 'author'),
  };

  test('is followed with the edit that corrects the card, which is one undo step', () => {
    const { actions, state, text, names } = open();
    actions.typeText('writer.md', broken('writer'));
    for (const name of ['write', 'autho', 'author']) actions.typeText('writer.md', broken(name));
    actions.settleName();
    expect(text('lead.md')).toBe(files['lead.md']);
    const before = texts(state().document.folder);
    actions.typeText('writer.md', corrected('author'));
    expect(texts(state().document.folder)).toEqual(followed);
    expect(names()).toEqual(['author', 'lead']);
    expect(state().points['agent:author']).toEqual({ x: 40, y: 50 });
    expect(state().picture.parsed.issues).toEqual([]);
    actions.undo();
    expect(texts(state().document.folder)).toEqual(before);
    // Corrected in another way, it is followed too.
    actions.typeText('writer.md', corrected('author').replace('Write.', 'Write well.'));
    expect(text('lead.md')).toBe(followed['lead.md']);
  });

  test('is followed when a form or a fix corrects the card', () => {
    const { actions, state } = open();
    actions.typeText('writer.md', broken('author'));
    actions.edit(new Map([['writer.md', textFile(corrected('author'))]]), { label: 'Fix' });
    expect(texts(state().document.folder)).toEqual(followed);
  });

  test('is followed when the project was opened with the broken card', () => {
    const { actions, text } = open({ 'writer.md': broken('writer') });
    actions.typeText('writer.md', broken('author'));
    actions.typeText('writer.md', corrected('author'));
    expect(text('lead.md')).toBe(followed['lead.md']);
  });

  test('leaves references alone when another card takes the place of the broken one', () => {
    const { actions, text } = open();
    actions.typeText('writer.md', broken('writer'));
    actions.typeText('writer.md', '---\nname: poet\nagents: [lead]\n---\nPoems.\n');
    expect(text('lead.md')).toBe(files['lead.md']);
  });

  test('says why nothing follows', () => {
    const { actions, state, text } = open({ 'critic.md': '---\nname: critic\nagents: [writer\n---\n' });
    actions.typeText('writer.md', broken('author'));
    actions.typeText('writer.md', corrected('author'));
    expect(text('lead.md')).toBe(files['lead.md']);
    expect(state().notice?.text).toContain('critic.md cannot be read');
  });
});

test('the file stays where its new name is taken, and the notice says so', () => {
  const { actions, state, text, retype } = open({ 'author.md': '---\nname: critic\n---\nJudge.\n' });
  retype('writer.md', 'writer', 'author');
  actions.settleName();
  expect(text('writer.md')).toContain('name: author');
  expect(text('lead.md')).toContain('[author]');
  expect(state().notice?.text).toBe("The file of 'author' stays writer.md, because there is a file author.md already.");
});
