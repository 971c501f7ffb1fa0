import { expect, test } from 'vitest';
import type { ToolReport, ToolTry } from '@/lib/base/tool-report';
import { textFile } from './document';
import { createProjectStore } from './project-store';
import type { Reported, TaskOptions } from './services';
import { createToolBench } from './tool-bench';

const report: ToolReport = {
  ...{ agent: 'lead', tool: 'add', description: 'Adds.', inputSchema: { type: 'object' } },
  ...{ result: { content: [], isError: false }, ms: 1, readyMs: 2, log: [], triedAt: 5 },
};
const add = { agent: 'lead', tool: 'add', server: undefined };
const now = { agent: 'lead', tool: 'time__now', server: 'time' };

function open(
  answers: readonly (Reported<ToolReport> | Promise<Reported<ToolReport>>)[] = [],
  askTrust: () => Promise<boolean> = async () => true,
) {
  const asked: { readonly tried: ToolTry; readonly options: TaskOptions | undefined }[] = [];
  const questions: boolean[] = [];
  const saves: number[] = [];
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
  const bench = createToolBench(
    {
      tryTool: async (tried, options) => {
        asked.push({ tried, options });
        return (await left.shift()) ?? { ok: true, report };
      },
    },
    project,
    async () => {
      questions.push(true);
      return await askTrust();
    },
  );
  bench.actions.open(add);
  return { ...bench, project, asked, questions, saves };
}

test('a tool is called with the files as they are edited, and its answer is shown', async () => {
  const { actions, store, project, asked } = open();
  project.actions.edit(new Map([['tools.ts', textFile('changed')]]), { label: 'Edit' });
  await actions.call({ a: 1 });
  expect(asked[0]?.tried).toEqual({ agent: 'lead', tool: 'add', arguments: { a: 1 } });
  expect([...(asked[0]?.options?.changes?.keys() ?? [])]).toEqual(['tools.ts']);
  expect(store.getState()).toMatchObject({ running: undefined, report, known: { description: 'Adds.' } });
});

test('what somebody asks for on purpose is said to the worker', async () => {
  const { actions, asked } = open();
  await actions.call({}, { unchecked: true, approve: true });
  expect(asked[0]?.tried).toMatchObject({ unchecked: true, approve: true });
});

test('looking a tool up calls nothing, and asks about trust only when somebody wants to know', async () => {
  const refused = { ok: false, message: 'Not confirmed.', code: 'not_trusted', notTrusted: true } as const;
  const { actions, store, asked, questions, saves } = open([refused, refused]);
  await actions.lookUp(false);
  expect(asked[0]?.tried).toEqual({ agent: 'lead', tool: 'add' });
  expect([questions.length, store.getState().error?.message]).toEqual([0, 'Not confirmed.']);
  await actions.lookUp(true);
  expect([questions.length, asked.length, saves.length]).toEqual([1, 3, 0]);
  expect(store.getState()).toMatchObject({ known: { description: 'Adds.' }, report: undefined, error: undefined });
});

test('a refusal is shown with its code', async () => {
  const { actions, store } = open([{ ok: false, message: 'Ask first.', code: 'approval_needed' }]);
  await actions.call({});
  expect(store.getState()).toMatchObject({
    report: undefined,
    error: { message: 'Ask first.', code: 'approval_needed' },
  });
});

test('a stop ends the work in the worker, and its late answer is not shown', async () => {
  let answer = (_: Reported<ToolReport>) => {};
  const late = new Promise<Reported<ToolReport>>((resolve) => {
    answer = resolve;
  });
  const { actions, store, asked } = open([late]);
  const called = actions.call({});
  expect(store.getState().running).toBe('call');
  actions.stop();
  expect(asked[0]?.options?.signal?.aborted).toBe(true);
  answer({ ok: true, report });
  await called;
  expect(store.getState()).toMatchObject({ running: undefined, report: undefined, error: { code: 'cancelled' } });
});

test('a call that is stopped while the folder is asked about is not made', async () => {
  const refused = { ok: false, message: 'Not confirmed.', code: 'not_trusted', notTrusted: true } as const;
  const bench = open([refused], async () => {
    bench.actions.stop();
    return true;
  });
  await bench.actions.call({});
  expect([bench.questions.length, bench.asked.length]).toEqual([1, 1]);
  expect(bench.store.getState()).toMatchObject({ running: undefined, report: undefined, error: { code: 'cancelled' } });
});

test('taking a recorded call and closing end a call, and closing says so', () => {
  const never = new Promise<Reported<ToolReport>>(() => {});
  const { actions, store, asked } = open([never, never]);
  void actions.call({});
  actions.take({ tool: 'add', source: 'function', server: undefined, arguments: { a: 2 } });
  expect([asked[0]?.options?.signal?.aborted, store.getState().running]).toEqual([true, undefined]);
  void actions.call({});
  actions.close();
  expect(asked[1]?.options?.signal?.aborted).toBe(true);
  expect(store.getState()).toMatchObject({ open: false, running: undefined, error: { code: 'cancelled' } });
});

test('typed arguments stay for the same tool, and go with another one', () => {
  const { actions, store } = open();
  actions.type('{"a": 1}');
  actions.close();
  actions.open(add);
  expect(store.getState()).toMatchObject({ open: true, text: '{"a": 1}' });
  actions.open(now);
  expect(store.getState()).toMatchObject({ choice: now, text: undefined });
  actions.take({ tool: 'time__now', source: 'mcp', server: 'time', arguments: { zone: 'UTC' } });
  expect(store.getState().text).toBe('{\n  "zone": "UTC"\n}');
});
