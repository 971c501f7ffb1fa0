import { describe, expect, test } from 'vitest';
import type { Issue } from '@/lib/base/issue';
import type { Folder } from '@/lib/cards/folder';
import { tooComplex } from '@/lib/cards/project/too-complex';
import { type FileChanges, textAt, textFile } from './document';
import type { SavedVersion, SaveOutcome } from './project-state';
import { createProjectStore } from './project-store';

const files = (texts: Record<string, string>): Folder =>
  new Map(Object.entries(texts).map(([path, text]) => [path, textFile(text)]));
const card = (name: string, more = '') => `---\nname: ${name}\n${more}---\nDo your work.\n`;
const change = (path: string, text: string): FileChanges => new Map([[path, textFile(text)]]);

function open(texts: Record<string, string>, answers: SaveOutcome[] = [], unreadable?: Issue, mayEdit?: boolean) {
  const saves: { version: number; paths: string[] }[] = [];
  const frames: (() => void)[] = [];
  const announced: string[] = [];
  const trials: { readonly folder: Folder; readonly end: (issue: Issue | undefined) => void }[] = [];
  let now = 0;
  const project = createProjectStore(
    { projectId: 'p', name: 'P', saved: { version: 1, folder: files(texts) }, layoutPoints: {}, unreadable, mayEdit },
    {
      async save(version, changes) {
        saves.push({ version, paths: [...changes.keys()] });
        return answers.shift() ?? { kind: 'saved', version: version + 1 };
      },
      now: () => now,
      nextFrame: (work) => frames.push(work),
      tryReading: (folder) => new Promise((resolve) => trials.push({ folder, end: resolve })),
      announce: (text) => announced.push(text),
    },
  );
  const frame = () => {
    for (const work of frames.splice(0)) work();
  };
  const nodes = () => project.store.getState().picture.graph.nodes.map((node) => node.id);
  const later = () => {
    now += 10_000;
  };
  return { ...project, saves, frame, nodes, later, trials, announced };
}

const two = { 'lead.md': card('lead', 'agents: [writer]\n'), 'writer.md': card('writer') };

test('the form of a hook that was asked for is asked for no more once something else is selected or shown', () => {
  const { actions, store } = open(two);
  const ask = () => {
    actions.select(['agent:lead']);
    actions.show({ shownHook: { file: 'lead.md', id: 'tool_hooks/0' }, inspectorTab: 'properties' });
    expect(store.getState().shownHook).toBeDefined();
  };
  ask();
  actions.select(['agent:writer']);
  expect(store.getState().shownHook).toBeUndefined();
  ask();
  actions.show({ inspectorTab: 'card' });
  expect(store.getState().shownHook).toBeUndefined();
});

describe('the open project', () => {
  test('an edit redraws the graph, undo takes it back, redo brings it again', () => {
    const { actions, nodes, store } = open(two);
    actions.edit(change('critic.md', card('critic')), { label: 'Add critic' });
    expect(nodes()).toContain('agent:critic');
    expect(store.getState().dirty).toBe(true);
    actions.undo();
    expect(nodes()).not.toContain('agent:critic');
    expect(store.getState().dirty).toBe(false);
    actions.redo();
    expect(nodes()).toContain('agent:critic');
  });

  test('in a read-only project no edit, typing, draft or name field changes or saves anything', async () => {
    const { actions, store, saves } = open(two, [], undefined, false);
    const before = store.getState().document;
    actions.edit(change('critic.md', card('critic')), { label: 'Add critic' });
    actions.type(change('lead.md', card('chief')), { label: 'Type' });
    actions.typeText('lead.md', card('chief'));
    actions.show({ renaming: 'agent:lead', picking: { what: 'all' } });
    actions.undo();
    expect(store.getState()).toMatchObject({ dirty: false, renaming: undefined, picking: undefined });
    expect(store.getState().document).toBe(before);
    await actions.save();
    expect(saves).toEqual([]);
    // What others save is still shown.
    actions.follow({ version: 2, folder: files({ 'lead.md': card('chief') }) });
    expect([...store.getState().document.folder.keys()]).toEqual(['lead.md']);
  });

  test('edits, undo and redo are announced once each, and neither typing nor a change of nothing is', () => {
    const { actions, announced } = open(two);
    actions.edit(change('critic.md', card('critic')), { label: 'Add critic' });
    actions.edit(change('critic.md', card('critic')), { label: 'Add critic' });
    actions.type(change('writer.md', card('w')), { label: 'Type', burst: 'writer.md' });
    actions.undo();
    actions.undo();
    actions.undo();
    actions.redo();
    actions.redo();
    actions.redo();
    expect(announced).toEqual([
      'Add critic',
      'Undone: Type',
      'Undone: Add critic',
      'Redone: Add critic',
      'Redone: Type',
    ]);
  });

  test('typing redraws on the next frame and is one undo step', () => {
    const { actions, nodes, frame, store } = open(two);
    actions.type(change('writer.md', card('w')), { label: 'Type', burst: 'writer.md' });
    actions.type(change('writer.md', card('wr')), { label: 'Type', burst: 'writer.md' });
    expect(nodes()).toContain('agent:writer');
    frame();
    expect(nodes()).toContain('agent:wr');
    expect(store.getState().document.past).toHaveLength(1);
    actions.undo();
    expect(textAt(store.getState().document.folder, 'writer.md')).toBe(two['writer.md']);
  });

  test('what is typed after the field was left is an undo step of its own', () => {
    const { actions, store } = open(two);
    actions.type(change('writer.md', card('w')), { label: 'Type', burst: 'writer.md' });
    actions.leaveField();
    actions.type(change('writer.md', card('wr')), { label: 'Type', burst: 'writer.md' });
    actions.undo();
    expect(textAt(store.getState().document.folder, 'writer.md')).toBe(card('w'));
  });

  test('a half-typed card shows its error while its node stays in the picture', () => {
    const { actions, nodes, frame, store } = open(two);
    actions.type(change('writer.md', '---\nname: [writer\n---\n'), { label: 'Type' });
    frame();
    expect(nodes()).toEqual(['agent:lead', 'agent:writer']);
    const { picture } = store.getState();
    expect([...picture.stale]).toEqual(['writer.md']);
    expect(picture.graph.nodes.some((node) => 'missing' in node && node.missing)).toBe(false);
    expect(picture.problems.get('agent:writer')?.some((issue) => issue.severity === 'error')).toBe(true);
    actions.undo();
    expect(store.getState().picture.stale.size).toBe(0);
  });

  test('a card overwritten with plain text is a problem, and no entry any more', () => {
    const { actions, nodes, frame, store } = open({ ...two, 'solo.md': card('solo', 'default: true\n') });
    expect(store.getState().picture.entry).toBe('solo');
    actions.type(change('solo.md', 'Just some words.\n'), { label: 'Type' });
    frame();
    const { picture } = store.getState();
    expect(nodes()).toContain('agent:solo');
    expect(picture.problems.get('agent:solo')?.map((issue) => issue.code)).toEqual(['card-without-front-matter']);
    expect(picture.parsed.issues.map((issue) => issue.file)).toEqual(['solo.md']);
    expect(picture.entry).toBe('lead');
    actions.undo();
    expect(store.getState().picture.entry).toBe('solo');
    expect(store.getState().picture.parsed.issues).toEqual([]);
  });

  test('nodes that did not change keep their identity', () => {
    const { actions, store } = open(two);
    const before = store.getState().picture.nodes.get('agent:lead');
    actions.edit(change('writer.md', card('writer', 'description: Writes.\n')), { label: 'Describe' });
    expect(store.getState().picture.nodes.get('agent:lead')).toBe(before);
    expect(store.getState().picture.nodes.get('agent:writer')).not.toBe(before);
  });

  test('saves only what changed, on top of the version it came from', async () => {
    const { actions, saves, store } = open(two);
    actions.edit(change('writer.md', card('writer', 'model: passthrough\n')), { label: 'Model' });
    expect(await actions.save()).toBe(true);
    expect(saves).toEqual([{ version: 1, paths: ['writer.md'] }]);
    expect(store.getState().saved.version).toBe(2);
    expect(store.getState().dirty).toBe(false);
    expect(await actions.save()).toBe(true);
    expect(saves).toHaveLength(1);
  });

  test('files that others changed are taken over, and saved together with mine', async () => {
    const theirs = { version: 5, folder: files({ ...two, 'lead.md': card('lead', 'model: theirs\n') }) };
    const { actions, saves, store } = open(two, [{ kind: 'conflict', message: 'Saved by Ann at 10:00.', theirs }]);
    actions.edit(change('writer.md', card('writer', 'model: mine\n')), { label: 'Model' });
    expect(await actions.save()).toBe(true);
    expect(saves.at(-1)).toEqual({ version: 5, paths: ['writer.md'] });
    const { document, conflict, notice, dirty } = store.getState();
    expect(conflict).toBeUndefined();
    expect(notice?.text).toBe('Somebody else changed lead.md.');
    expect(textAt(document.folder, 'lead.md')).toContain('theirs');
    expect(textAt(document.folder, 'writer.md')).toContain('mine');
    expect(dirty).toBe(false);
    actions.undo();
    expect(textAt(store.getState().document.folder, 'lead.md')).toContain('theirs');
    expect(textAt(store.getState().document.folder, 'writer.md')).toBe(two['writer.md']);
  });

  test('undo does not reach past a step whose files others have changed since', async () => {
    const theirs = { version: 5, folder: files({ ...two, 'lead.md': card('lead', 'model: theirs\n') }) };
    const { actions, store } = open(two);
    actions.edit(change('lead.md', card('lead', 'model: mine\n')), { label: 'Model' });
    await actions.save();
    actions.edit(change('writer.md', card('writer', 'model: mine\n')), { label: 'Model' });
    await actions.save();
    actions.follow(theirs);
    expect(store.getState().document.past.map(({ after }) => [...after.keys()])).toEqual([]);
    expect(textAt(store.getState().document.folder, 'lead.md')).toContain('theirs');
  });

  describe('a file that both sides changed', () => {
    const both = { ...two, 'critic.md': card('critic') };
    const theirs: SavedVersion = {
      version: 5,
      folder: files({
        'lead.md': card('lead', 'model: theirs\n'),
        'writer.md': card('writer', 'model: theirs\n'),
        'critic.md': card('critic', 'model: theirs\n'),
      }),
    };
    async function inConflict() {
      const project = open(both, [{ kind: 'conflict', message: 'Saved by Ann.', theirs }]);
      project.actions.edit(change('writer.md', card('writer', 'model: mine\n')), { label: 'Model' });
      project.actions.edit(change('critic.md', card('critic', 'model: mine\n')), { label: 'Model' });
      expect(await project.actions.save()).toBe(false);
      return { ...project, model: (name: string) => modelIn(project.store.getState().document.folder, `${name}.md`) };
    }
    const modelIn = (folder: Folder, file: string) => /model: (.*)/.exec(textAt(folder, file) ?? '')?.[1];

    test('is asked about, and nothing is sent until the person has decided', async () => {
      const { actions, saves, store } = await inConflict();
      expect(store.getState().conflict?.asking).toBe(true);
      actions.dismissConflict();
      expect(store.getState()).toMatchObject({ dirty: true, conflict: { asking: false } });
      expect(await actions.save()).toBe(false);
      expect(store.getState().conflict?.asking).toBe(true);
      expect(saves).toHaveLength(1);
    });

    test('becomes what was chosen for it, and undo brings mine back', async () => {
      const { actions, saves, store, model } = await inConflict();
      expect(await actions.resolveConflict(new Map([['writer.md', 'theirs']]))).toBe(true);
      expect([model('lead'), model('writer'), model('critic')]).toEqual(['theirs', 'theirs', 'mine']);
      expect(saves.at(-1)).toEqual({ version: 5, paths: ['critic.md'] });
      actions.undo();
      expect([model('lead'), model('writer'), model('critic')]).toEqual(['theirs', 'theirs', 'theirs']);
      actions.undo();
      expect([model('lead'), model('writer'), model('critic')]).toEqual(['theirs', 'mine', 'mine']);
      expect(store.getState().dirty).toBe(true);
      actions.undo();
      expect([model('lead'), model('writer'), model('critic')]).toEqual(['theirs', 'mine', undefined]);
    });

    test('becomes the text that was edited, and undo reaches both versions', async () => {
      const { actions, saves, model } = await inConflict();
      const edited = textFile(card('writer', 'model: edited\n'));
      await actions.resolveConflict(new Map([['writer.md', edited]]));
      expect([model('writer'), model('critic')]).toEqual(['edited', 'mine']);
      expect(saves.at(-1)).toEqual({ version: 5, paths: ['critic.md', 'writer.md'] });
      actions.undo();
      expect([model('writer'), model('critic')]).toEqual(['theirs', 'mine']);
      actions.undo();
      actions.undo();
      expect([model('writer'), model('critic')]).toEqual(['mine', 'mine']);
    });
  });

  describe('a file that both sides changed in different places', () => {
    const words = 'One.\n\nTwo.\n\nThree.\n';
    const texts = { 'writer.md': `---\nname: writer\n---\n${words}` };
    const theirs: SavedVersion = {
      version: 5,
      folder: files({ 'writer.md': `---\nname: writer\n---\n${words.replace('Three', 'Theirs')}` }),
      by: { names: ['Ann'], you: false },
    };

    test('has both changes, says who made theirs, and is saved without a question', async () => {
      const { actions, store, saves } = open(texts, [{ kind: 'conflict', message: 'Saved by Ann.', theirs }]);
      actions.edit(change('writer.md', texts['writer.md'].replace('One', 'Mine')), { label: 'Type' });
      expect(await actions.save()).toBe(true);
      expect(saves.map(({ version }) => version)).toEqual([1, 5]);
      expect(textAt(store.getState().saved.folder, 'writer.md')).toContain('Mine.\n\nTwo.\n\nTheirs.');
    });

    test('keeps its steps of undo, which take back mine and leave theirs', async () => {
      const { actions, store } = open(texts);
      const text = () => textAt(store.getState().document.folder, 'writer.md')?.split('---\n')[2];
      actions.edit(change('writer.md', texts['writer.md'].replace('One', 'Mine')), { label: 'Type' });
      actions.edit(change('writer.md', texts['writer.md'].replace('One', 'Mine too')), { label: 'Type' });
      actions.undo();
      actions.follow(theirs);
      expect(text()).toBe('Mine.\n\nTwo.\n\nTheirs.\n');
      expect(store.getState().notice?.text).toBe('Ann changed writer.md too. It has your changes and theirs.');
      actions.redo();
      expect(text()).toBe('Mine too.\n\nTwo.\n\nTheirs.\n');
      actions.undo();
      actions.undo();
      expect(text()).toBe('One.\n\nTwo.\n\nTheirs.\n');
      actions.undo();
      expect(store.getState().dirty).toBe(false);
    });
  });

  test('a call during a save sends what was typed meanwhile, and no two requests overlap', async () => {
    const { actions, saves, store } = open(two);
    actions.edit(change('writer.md', card('writer', 'model: a\n')), { label: 'Model' });
    const first = actions.save();
    actions.edit(change('writer.md', card('writer', 'model: b\n')), { label: 'Model' });
    const others = [actions.save(), actions.save()];
    expect(saves).toHaveLength(1);
    expect(await Promise.all([first, ...others])).toEqual([true, true, true]);
    expect(saves.map(({ version }) => version)).toEqual([1, 2]);
    expect(textAt(store.getState().saved.folder, 'writer.md')).toContain('model: b');
    expect(store.getState().dirty).toBe(false);
  });

  test('a failed save says why until one succeeds, and says it only once', async () => {
    const down: SaveOutcome = { kind: 'failed', message: 'The server does not answer.' };
    const { actions, store } = open(two, [down, down]);
    actions.edit(change('writer.md', card('writer', 'model: a\n')), { label: 'Model' });
    expect(await actions.save()).toBe(false);
    expect(store.getState()).toMatchObject({
      dirty: true,
      saving: false,
      saveFault: { message: down.message },
      notice: { tone: 'bad', text: down.message },
    });
    actions.notify(undefined);
    expect(await actions.save()).toBe(false);
    expect(store.getState().notice).toBeUndefined();
    expect(await actions.save()).toBe(true);
    expect(store.getState()).toMatchObject({ dirty: false, saveFault: undefined });
  });

  test('a save whose answer was lost is no conflict with myself', async () => {
    const mine = card('writer', 'model: mine\n');
    const { actions, saves, store } = open(two, [
      { kind: 'failed', message: 'The server does not answer.' },
      { kind: 'conflict', message: 'Saved.', theirs: { version: 2, folder: files({ ...two, 'writer.md': mine }) } },
    ]);
    actions.edit(change('writer.md', mine), { label: 'Model' });
    await actions.save();
    actions.edit(change('writer.md', `${mine}More.\n`), { label: 'Type' });
    expect(await actions.save()).toBe(true);
    expect(saves.map(({ version }) => version)).toEqual([1, 1, 2]);
    expect(store.getState()).toMatchObject({ conflict: undefined, dirty: false });
    expect(textAt(store.getState().saved.folder, 'writer.md')).toBe(`${mine}More.\n`);
  });

  test('selecting an agent opens its card in the editor', () => {
    const { actions, store } = open(two);
    actions.select(['agent:writer']);
    expect(store.getState().openFile).toBe('writer.md');
  });
});

describe('text that may take long to read', () => {
  const long = (name: string) => card(name, `# ${'x'.repeat(100_000)}\n`);
  const endTrial = async (trials: ReturnType<typeof open>['trials'], issue: Issue | undefined) => {
    trials.shift()?.end(issue);
    await Promise.resolve();
  };

  test('is drawn when it was read elsewhere in time, and the last picture stays until then', async () => {
    const { actions, nodes, frame, store, trials } = open(two);
    actions.type(change('critic.md', long('critic')), { label: 'Paste' });
    frame();
    expect(trials.map(({ folder }) => folder)).toEqual([store.getState().document.folder]);
    expect(nodes()).toEqual(['agent:lead', 'agent:writer']);
    await endTrial(trials, undefined);
    expect(nodes()).toContain('agent:critic');
    // A letter more is typed in a text that is known to be readable.
    actions.type(change('critic.md', `${long('critic')}!`), { label: 'Type' });
    frame();
    expect(trials).toEqual([]);
  });

  test('that cannot be read in time is a problem beside the last picture, and undo takes it away', async () => {
    const { actions, nodes, store, trials } = open(two);
    actions.edit(change('critic.md', long('critic')), { label: 'Paste' });
    const issue = tooComplex(store.getState().document.folder, 'critic.md', { is: 'time', seconds: 3 });
    await endTrial(trials, issue);
    const { picture, notice, document } = store.getState();
    expect(picture.parsed.issues).toEqual([issue]);
    expect(notice).toEqual({ tone: 'bad', text: issue.message });
    expect(nodes()).toEqual(['agent:lead', 'agent:writer']);
    expect(document.folder.has('critic.md')).toBe(true);
    actions.undo();
    expect(store.getState().picture.parsed.issues).toEqual([]);
  });

  test('is tried as it is now, when more was typed during a trial', async () => {
    const { actions, nodes, trials, store } = open(two);
    actions.edit(change('critic.md', long('critic')), { label: 'Paste' });
    actions.edit(change('judge.md', long('judge')), { label: 'Paste' });
    expect(trials).toHaveLength(1);
    await endTrial(trials, undefined);
    expect(trials.map(({ folder }) => folder)).toEqual([store.getState().document.folder]);
    await endTrial(trials, undefined);
    expect(nodes()).toEqual(expect.arrayContaining(['agent:critic', 'agent:judge']));
  });

  test('a project that the server could not read opens at the text to correct, and is drawn when it is corrected', async () => {
    const texts = { ...two, 'slow.md': card('slow') };
    const issue = tooComplex(files(texts), 'slow.md', { is: 'time', seconds: 5 });
    const { actions, nodes, store, trials } = open(texts, [], issue);
    actions.begin();
    expect(trials).toEqual([]);
    expect(nodes()).toEqual([]);
    expect(store.getState()).toMatchObject({ openFile: 'slow.md', inspectorTab: 'card', dockTab: 'problems' });
    expect(store.getState().picture.parsed.issues).toEqual([issue]);
    expect([...store.getState().picture.parsed.roles.keys()]).toEqual(['lead.md', 'slow.md', 'writer.md']);
    actions.edit(change('slow.md', card('quick')), { label: 'Correct' });
    await endTrial(trials, undefined);
    expect(nodes()).toEqual(['agent:lead', 'agent:quick', 'agent:writer']);
    expect(store.getState().picture.parsed.issues).toEqual([]);
  });

  test('a project that is large is tried before it is drawn', async () => {
    const texts = Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`${index}.md`, long(`agent-${index}`)]));
    const { actions, nodes, trials, store } = open(texts);
    expect(nodes()).toEqual([]);
    actions.begin();
    expect(store.getState().notice?.text).toContain('large');
    await endTrial(trials, undefined);
    expect(nodes()).toHaveLength(8);
    expect(store.getState().notice).toBeUndefined();
  });
});
