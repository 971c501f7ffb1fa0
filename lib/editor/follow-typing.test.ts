import { expect, test } from 'vitest';
import { textAt, textFile } from './document';
import { followTyping } from './follow-typing';
import { createProjectStore } from './project-store';

const path = 'lead.md';
const card = (description: string) => `---\nname: lead\ndescription: ${description}\n---\nLead.\n`;
const change = (description: string) => new Map([[path, textFile(card(description))]]);

function open() {
  const { store, actions } = createProjectStore(
    {
      projectId: 'p',
      name: 'P',
      saved: { version: 1, folder: new Map([[path, textFile(card('a'))]]) },
      layoutPoints: {},
    },
    {
      save: async (version) => ({ kind: 'saved', version: version + 1 }),
      now: () => 0,
      nextFrame: (work) => work(),
      afterPause: () => undefined,
      tryReading: async () => undefined,
    },
  );
  const paints: (() => void)[] = [];
  const shown = followTyping(store, (work) => paints.push(work));
  const paint = () => {
    for (const work of paints.splice(0)) work();
  };
  const text = () => textAt(shown.getState().document.folder, path);
  let told = 0;
  const leave = shown.subscribe(() => {
    told += 1;
  });
  return { store, actions, shown, paint, text, leave, told: () => told };
}

test('what is typed is shown after the next picture, once for all keys before it', () => {
  const { actions, paint, text, told } = open();
  actions.type(change('ab'), { label: 'Type' });
  actions.type(change('abc'), { label: 'Type' });
  expect([text(), told()]).toEqual([card('a'), 0]);
  paint();
  expect([text(), told()]).toEqual([card('abc'), 1]);
});

test.each([
  ['an edit', ({ actions }: ReturnType<typeof open>) => actions.edit(change('z'), { label: 'Edit' }), 'z'],
  ['a selection', ({ actions }: ReturnType<typeof open>) => actions.select(['agent:lead']), 'ab'],
  ['undo', ({ actions }: ReturnType<typeof open>) => actions.undo(), 'a'],
])('%s is shown at once, with what was typed before', (_, act, expected) => {
  const project = open();
  project.actions.type(change('ab'), { label: 'Type' });
  act(project);
  expect(project.text()).toBe(card(expected));
  expect(project.shown.getState()).toBe(project.store.getState());
  const told = project.told();
  project.paint();
  expect(project.told()).toBe(told);
});

test('nothing waits while nobody listens', () => {
  const { actions, leave, text, shown, paint } = open();
  actions.type(change('ab'), { label: 'Type' });
  leave();
  expect(text()).toBe(card('ab'));
  actions.type(change('abc'), { label: 'Type' });
  shown.subscribe(() => undefined);
  expect(text()).toBe(card('abc'));
  paint();
  expect(text()).toBe(card('abc'));
});
