import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { textAt, textFile, withChanges } from './document';
import { drawPicture } from './picture';
import { createProjectStore } from './project-store';
import { typedPicture } from './typed-picture';

const files = {
  'lead.md': '---\nname: lead\ndescription: Leads.\nmodel: passthrough\nagents: [writer, critic]\n---\nLead.\n',
  'writer.md': '---\nname: writer\ndescription: Writes.\nservers: [time]\n---\nWrite.\n',
  'critic.md': '---\nname: critic\ntype: chain\nsequence: [writer]\n---\nJudge.\n',
  'fastagent.config.yaml': 'mcp:\n  servers:\n    time: {command: npx}\n',
};
const folder = folderOf(files);

function typed(path: string, from: string, to: string) {
  return withChanges(folder, new Map([[path, textFile((textAt(folder, path) ?? '').replace(from, to))]]));
}

describe('typed words', () => {
  test('make one node, and keep every other object of the picture', () => {
    const before = drawPicture(folder, undefined);
    const picture = typedPicture(typed('lead.md', 'Leads.', 'Leads all.'), folder, before);
    expect(picture?.nodes.get('agent:lead')).toMatchObject({ description: 'Leads all.' });
    expect(picture?.cards.get('lead')?.description).toBe('Leads all.');
    expect(picture?.graph.edges).toBe(before.graph.edges);
    expect(picture?.graph.chains).toBe(before.graph.chains);
    expect(picture?.problems).toBe(before.problems);
    const made = picture?.graph.nodes.filter((node, at) => node !== before.graph.nodes[at]);
    expect(made?.map((node) => node.id)).toEqual(['agent:lead']);
    const read = picture?.parsed.cards.filter((card, at) => card !== before.parsed.cards[at]);
    expect(read?.map((card) => card.name)).toEqual(['lead']);
  });

  test('of an instruction change no node', () => {
    const before = drawPicture(folder, undefined);
    const picture = typedPicture(typed('writer.md', 'Write.', 'Write well.'), folder, before);
    expect(picture?.graph.nodes).toEqual(before.graph.nodes);
    expect(picture?.graph.nodes.every((node, at) => node === before.graph.nodes[at])).toBe(true);
  });

  test.each([
    ['a child', 'lead.md', '[writer, critic]', '[writer]'],
    ['a server', 'writer.md', '[time]', '[times]'],
    ['a name', 'writer.md', 'name: writer', 'name: author'],
    ['a type', 'critic.md', 'type: chain', 'type: chai'],
    ['an unclosed list', 'writer.md', '[time]', '[time'],
    ['the config', 'fastagent.config.yaml', 'npx', 'node'],
  ])('%s is more than words', (_, path, from, to) => {
    const before = drawPicture(folder, undefined);
    expect(typedPicture(typed(path, from, to), folder, before)).toBeUndefined();
  });

  test('give the graph that a reading of the whole folder gives', () => {
    const edit = fc.record({
      path: fc.constantFrom('lead.md', 'writer.md', 'critic.md'),
      at: fc.nat(90),
      cut: fc.nat(3),
      put: fc.constantFrom('x', ' ', '\n', ':', '- ', 'model: m\n', 'description: d\n', '{{x}}', '"', '#'),
    });
    let quick = 0;
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 6 }), (edits) => {
        let now = folder;
        let picture = drawPicture(now, undefined);
        for (const { path, at, cut, put } of edits) {
          const text = textAt(now, path) ?? '';
          const next = withChanges(now, new Map([[path, textFile(text.slice(0, at) + put + text.slice(at + cut))]]));
          const whole = drawPicture(next, picture);
          const fast = typedPicture(next, now, picture);
          if (fast !== undefined) {
            quick += 1;
            expect(fast.graph).toEqual(whole.graph);
            expect(fast.cards).toEqual(whole.cards);
            expect(fast.entry).toBe(whole.entry);
            expect(fast.good).toEqual(whole.good);
          }
          picture = whole;
          now = next;
        }
      }),
      { numRuns: 100 },
    );
    expect(quick).toBeGreaterThan(20);
  });
});

describe('typing in the open project', () => {
  function open() {
    const frames: (() => void)[] = [];
    let paused = () => {};
    const project = createProjectStore(
      { projectId: 'p', name: 'P', saved: { version: 1, folder }, layoutPoints: {} },
      {
        save: async (version) => ({ kind: 'saved', version }),
        now: () => 0,
        nextFrame: (work) => frames.push(work),
        afterPause: (work) => {
          paused = work;
        },
        tryReading: async () => undefined,
      },
    );
    const type = (path: string, from: string, to: string) => {
      const text = textAt(project.store.getState().document.folder, path) ?? '';
      project.actions.type(new Map([[path, textFile(text.replace(from, to))]]), { label: 'Type' });
    };
    const picture = () => project.store.getState().picture;
    return { ...project, frames, type, picture, pause: () => paused() };
  }

  test('words are on the canvas with the key, and their problems follow at a pause', () => {
    const { type, picture, frames, pause, store } = open();
    type('lead.md', 'Leads.', 'Leads {{nobody}}.');
    type('lead.md', 'Lead.\n', 'Lead {{nobody}}.\n');
    expect(picture().nodes.get('agent:lead')).toMatchObject({ description: 'Leads {{nobody}}.' });
    expect(frames).toEqual([]);
    const { issues } = drawPicture(store.getState().document.folder, undefined).parsed;
    expect(picture().parsed.issues).not.toEqual(issues);
    pause();
    expect(picture().parsed.issues).toEqual(issues);
  });

  test('everything else waits for a frame, and a picture that is complete is not drawn again', () => {
    const { type, picture, frames, pause } = open();
    type('lead.md', 'Leads.', 'Leads all.');
    type('lead.md', '[writer, critic]', '[writer]');
    expect(picture().graph.edges).toHaveLength(4);
    for (const work of frames.splice(0)) work();
    expect(picture().graph.edges).toHaveLength(3);
    const complete = picture();
    pause();
    expect(picture()).toBe(complete);
  });

  test('undo in the middle of a word shows the card and its problems at once', () => {
    const { type, picture, actions } = open();
    type('lead.md', 'Lead.\n', 'Lead {{nobody}}.\n');
    actions.undo();
    expect(picture().parsed.issues).toEqual(drawPicture(folder, undefined).parsed.issues);
    expect(picture().cards.get('lead')?.instruction).toBe(
      drawPicture(folder, undefined).cards.get('lead')?.instruction,
    );
  });
});
