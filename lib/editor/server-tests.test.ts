import { expect, test } from 'vitest';
import type { ServerNews } from '@/lib/base/known-servers';
import type { ProbeReport } from '@/lib/base/probe-report';
import { textFile } from './document';
import { createProjectStore } from './project-store';
import { createServerTests } from './server-tests';
import type { Reported, TaskOptions } from './services';

const lead =
  '---\nname: lead\nservers: [time]\ntools: {time: [get_time]}\nmcp_connect: {docs: {target: https://d.example/mcp}}\n---\n';
const config = 'mcp: {servers: {time: {command: node, args: [a.mjs]}}}\n';

const report = (names: readonly string[], failed = false): ProbeReport => ({
  server: 'time',
  steps: [
    { name: 'resolve', state: 'done', ms: 1 },
    { name: 'start', state: failed ? 'failed' : 'done', ms: 2 },
  ],
  log: [],
  tools: names.map((name) => ({ name, inputSchema: {} })),
  resources: [],
  prompts: [],
  probedAt: 1,
});

type Asked = [server: string, options: TaskOptions & { readonly agent?: string }];

function open(answers: (Reported<ProbeReport> | Promise<Reported<ProbeReport>>)[], trusts = true) {
  const folder = new Map([
    ['lead.md', textFile(lead)],
    ['fast-agent.yaml', textFile(config)],
  ]);
  const saves: number[] = [];
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
      announce: () => {},
    },
  );
  const told: ServerNews[] = [];
  const asked: Asked[] = [];
  const tests = createServerTests(
    {
      probeServer: async (server, options = {}) => {
        asked.push([server, options]);
        const answer = await answers.shift();
        if (answer === undefined) throw new Error('asked once more than expected');
        return answer;
      },
      readServers: async () => undefined,
      tellServers: async (news) => {
        told.push(...news);
        return { ok: false, again: false };
      },
    },
    project,
    async () => trusts,
  );
  return { ...tests, project, asked, saves, told };
}

test('a test that worked is known, and filters written before it are compared with what it found', async () => {
  const { store, actions, told } = open([{ ok: true, report: report(['get_time', 'convert']) }]);
  await actions.test('time');
  const { tests, known } = store.getState();
  expect(tests.get('time')?.phase).toBe('done');
  expect(Object.keys(known.time?.picked.lead?.tools ?? {})).toEqual(['get_time', 'convert']);
  expect(told.map((one) => [one.news, one.news === 'picked' && [one.agent, one.kind, one.first]])).toEqual([
    ['listed', false],
    ['picked', ['lead', 'tools', true]],
    ['picked', ['lead', 'resources', true]],
    ['picked', ['lead', 'prompts', true]],
  ]);
});

test('a test that failed says so, and what is known stays', async () => {
  const failing = report([], true);
  const { store, actions } = open([
    { ok: true, report: report(['get_time']) },
    { ok: true, report: failing },
    { ok: false, message: 'No worker answers.' },
  ]);
  await actions.test('time');
  await actions.test('time');
  expect(store.getState().tests.get('time')).toEqual({ phase: 'done', report: failing });
  expect(store.getState().known.time?.listing.tools.map(({ name }) => name)).toEqual(['get_time']);
  await actions.test('time');
  expect(store.getState().tests.get('time')).toEqual({ phase: 'failed', message: 'No worker answers.' });
});

test('unsaved text is tested, and a server of a card is asked for with its agent', async () => {
  const { actions, project, asked } = open([
    { ok: true, report: report([]) },
    { ok: true, report: report([]) },
  ]);
  const changed = textFile(config.replace('a.mjs', 'b.mjs'));
  project.actions.edit(new Map([['fast-agent.yaml', changed]]), { label: 'Edit' });
  await actions.test('time');
  await actions.test('docs');
  expect(asked.map(([server, { changes, agent }]) => [server, [...(changes ?? [])], agent])).toEqual([
    ['time', [['fast-agent.yaml', changed]], undefined],
    ['docs', [['fast-agent.yaml', changed]], 'lead'],
  ]);
});

test('an untrusted folder is saved and confirmed, and then tested', async () => {
  const refused = { ok: false, message: 'Not confirmed.', notTrusted: true } as const;
  const { store, actions, project, saves, asked } = open([refused, { ok: true, report: report(['a']) }]);
  project.actions.edit(new Map([['notes.md', textFile('n')]]), { label: 'Edit' });
  await actions.test('time');
  expect([saves.length, asked.length, store.getState().tests.get('time')?.phase]).toEqual([1, 2, 'done']);

  const other = open([refused], false);
  await other.actions.test('time');
  expect(other.store.getState().tests.get('time')).toEqual({ phase: 'failed', message: 'Not confirmed.' });
});

test('one server is tested once at a time, and a stop reaches the worker', async () => {
  let answer: (reported: Reported<ProbeReport>) => void = () => {};
  const waiting = new Promise<Reported<ProbeReport>>((resolve) => {
    answer = resolve;
  });
  const { store, actions, asked } = open([waiting]);
  const running = actions.test('time');
  await actions.test('time');
  expect([asked.length, store.getState().tests.get('time')]).toEqual([1, { phase: 'running' }]);
  actions.stop('time');
  expect(asked[0]?.[1].signal?.aborted).toBe(true);
  answer({ ok: false, message: 'It was stopped.' });
  await running;
  expect(store.getState().tests.get('time')).toEqual({ phase: 'failed', message: 'It was stopped.' });
});

test('what is known goes with a new name of the server', async () => {
  const { store, actions } = open([{ ok: true, report: report(['a']) }]);
  await actions.test('time');
  actions.renamed('time', 'clock');
  expect(Object.keys(store.getState().known)).toEqual(['clock']);
  expect(store.getState().tests.get('clock')?.phase).toBe('done');
});
