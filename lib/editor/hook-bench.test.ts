import { expect, test } from 'vitest';
import type { HookCase, HookReport } from '@/lib/base/hook-report';
import { hookCasePath, hookCaseText } from '@/lib/cards/hook-cases';
import { caseOf } from './bench-form';
import { textAt, textFile } from './document';
import { createHookBench } from './hook-bench';
import { createProjectStore } from './project-store';
import type { Reported, TaskOptions } from './services';

const report: HookReport = {
  agent: 'lead',
  steps: [],
  arguments: { x: 10 },
  toolCalls: 1,
  result: { content: [{ type: 'text', text: '11' }], isError: false },
  ms: 1,
  triedAt: 5,
};

function open(answers: readonly Reported<HookReport>[] = []) {
  const asked: { readonly tried: HookCase; readonly options: TaskOptions | undefined }[] = [];
  const saves: number[] = [];
  const questions: boolean[] = [];
  const folder = new Map([['lead.md', textFile('---\nname: lead\n---\nGo.\n')]]);
  const project = createProjectStore(
    { projectId: 'p', name: 'P', saved: { version: 1, folder }, layoutPoints: {} },
    {
      save: async (version) => {
        saves.push(version);
        return { kind: 'saved', version: version + 1 };
      },
      now: () => 0,
      nextFrame: (work) => work(),
      tryReading: async () => undefined,
    },
  );
  const left = [...answers];
  const services = {
    runHooks: async (tried: HookCase, options?: TaskOptions): Promise<Reported<HookReport>> => {
      asked.push({ tried, options });
      return left.shift() ?? { ok: true, report };
    },
  };
  const bench = createHookBench(services, project, async () => {
    questions.push(true);
    return true;
  });
  bench.actions.open('lead', undefined);
  return { ...bench, project, asked, saves, questions };
}

test('a result with an integer that no double holds keeps its digits', async () => {
  const { actions, asked } = open();
  actions.set({ tool: 'now', result: '{"id": 9007199254740993}' });
  await actions.run();
  expect(asked[0]?.tried.result).toEqual({ id: '9007199254740993' });
});

test('the call of the form is tried on the files as they are edited', async () => {
  const { actions, store, project, asked } = open();
  project.actions.edit(new Map([['hooks.ts', textFile('changed')]]), { label: 'Edit' });
  actions.set({ tool: ' time__now ', source: 'mcp', server: 'time', arguments: '{"x": 1}', result: '[1' });
  await actions.run();
  expect(asked[0]?.tried).toEqual({
    agent: 'lead',
    call: { tool: 'time__now', source: 'mcp', server: 'time', arguments: { x: 1 } },
    result: '[1',
  });
  expect([...(asked[0]?.options?.changes?.keys() ?? [])]).toEqual(['hooks.ts']);
  expect(store.getState()).toMatchObject({ running: false, report });
});

test('what cannot be read is said, and nothing is asked', async () => {
  const { actions, store, asked } = open();
  await actions.run();
  expect(store.getState().error).toBe('Choose a tool, or type the name of one.');
  actions.set({ tool: 'add', arguments: '[1]' });
  await actions.run();
  expect(store.getState().error).toContain('The arguments are not a JSON object');
  actions.set({ arguments: '', state: 'x' });
  await actions.run();
  expect(store.getState().error).toContain('The state is not a JSON object');
  expect(asked).toEqual([]);
});

test('a folder that is not trusted is saved, confirmed and tried again', async () => {
  const refused = { ok: false, message: 'Nobody has confirmed it.', notTrusted: true } as const;
  const { actions, store, project, asked, saves, questions } = open([refused]);
  project.actions.edit(new Map([['hooks.ts', textFile('changed')]]), { label: 'Edit' });
  actions.set({ tool: 'add' });
  await actions.run();
  expect([saves, questions, asked.length]).toEqual([[1], [true], 2]);
  expect(store.getState()).toMatchObject({ report, error: undefined });
});

test('a recorded call fills the form: a plain text stands as text, another result as JSON', () => {
  const { actions, store } = open();
  actions.take({ tool: 'add', source: 'function', arguments: { x: 99 }, result: report.result });
  expect(store.getState().form).toMatchObject({ tool: 'add', server: '', arguments: '{\n  "x": 99\n}', result: '11' });
  const failed = { content: [{ type: 'text', text: 'no' }], isError: true };
  actions.take({ tool: 'add', source: 'mcp', server: 's', arguments: 'cut', result: failed });
  const { form } = store.getState();
  expect(form).toMatchObject({ server: 's', arguments: 'cut' });
  expect(JSON.parse(form.result)).toEqual(failed);
  expect(caseOf(form)).toMatchObject({ ok: false });
});

test('a case is kept as a file, read into the form, and deleted; undo brings it back', async () => {
  const { actions, store, project } = open();
  actions.set({ tool: 'add', arguments: '{"x": 99}', result: '11' });
  await actions.run();
  // What is kept is what was tried, even if the form has changed since.
  actions.set({ arguments: '{"x": 5}' });
  actions.keep('clamps');
  const text = textAt(project.store.getState().document.folder, hookCasePath('clamps'));
  expect(JSON.parse(text ?? '')).toMatchObject({
    call: { arguments: { x: 99 } },
    result: '11',
    expected: { arguments: { x: 10 } },
  });
  expect(store.getState()).toMatchObject({ caseName: 'clamps' });
  actions.set({ tool: 'other' });
  actions.openCase('clamps');
  expect(store.getState().form).toMatchObject({ tool: 'add', arguments: '{\n  "x": 99\n}', result: '11' });
  actions.remove('clamps');
  expect(project.store.getState().document.folder.size).toBe(1);
  project.actions.undo();
  expect(project.store.getState().document.folder.has(hookCasePath('clamps'))).toBe(true);
});

test('all cases run, and each has a verdict', async () => {
  const kept = { agent: 'lead', call: { tool: 'add', source: 'function', arguments: {} }, result: '1' } as const;
  const { actions, store, project, asked } = open([
    { ok: true, report },
    { ok: true, report },
    { ok: false, message: 'No worker.' },
  ]);
  const good = hookCaseText({ ...kept, expected: { result: report.result, arguments: { x: 10 } } });
  const bad = hookCaseText({ ...kept, expected: { result: 'else', arguments: { x: 10 } } });
  project.actions.edit(
    new Map([
      ['hook-cases/a.json', textFile(good)],
      ['hook-cases/b.json', textFile(bad)],
      ['hook-cases/c.json', textFile(good)],
      ['hook-cases/d.json', textFile('no case')],
    ]),
    { label: 'Cases' },
  );
  await actions.runAll();
  expect([...store.getState().verdicts].map(([name, { kind }]) => `${name} ${kind}`)).toEqual([
    'a passed',
    'b failed',
    'c error',
    'd error',
  ]);
  // The worker gets the case without its expectation.
  expect(asked.map(({ tried }) => tried)).toEqual([kept, kept, kept]);
  expect(store.getState().verdicts.get('b')).toMatchObject({ differences: [{ what: 'result', expected: 'else' }] });
  expect(store.getState().running).toBe(false);
});

test('a bench that is closed asks for a stop and keeps no late answer', async () => {
  const { actions, store, asked } = open();
  actions.set({ tool: 'add' });
  const running = actions.run();
  actions.close();
  await running;
  expect(asked[0]?.options?.signal?.aborted).toBe(true);
  expect(store.getState()).toMatchObject({ open: false, running: false, report: undefined });
});
