import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AgainRequest } from '@/lib/base/again';
import { brandAs, type CorrelationId, type ProjectId, type RunId } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import type { RunEvent } from '@/lib/runtime/record/events';
import { endsTaken } from '@/lib/runtime/record/take-record';
import { readAllEvents, runEventsChannel } from '@/lib/store/events';
import { openNotifications } from '@/lib/store/notifications';
import { insertPin } from '@/lib/store/pins';
import { findProject, insertProject } from '@/lib/store/projects';
import { findRun } from '@/lib/store/runs';
import { testDatabase } from '@/lib/testing/postgres';
import { watchRun } from '@/lib/testing/watch-run';
import { startWorkerHere } from '@/lib/testing/worker-here';
import { openRunQueue } from './enqueue';
import { systemClock } from './system-clock';

/** A worker runs a run again from a step, one instance of it, and with a pinned result. */

const { url, store } = await testDatabase();
const queue = openRunQueue(store);
const notifications = openNotifications(url, runEventsChannel);
const data = mkdtempSync(path.join(tmpdir(), 'callboard-again-'));
let stopWorker: () => Promise<void>;
let project: ProjectId;
let old: RunId;
let log: readonly RunEvent[];

beforeAll(async () => {
  const worker = await startWorkerHere({ databaseUrl: url, dataFolder: data });
  stopWorker = () => worker.stop();
  const folder = folderOf({
    'agent-cards/lead.md': '---\nname: lead\ndefault: true\nagents: [kid]\n---\nLead.\n',
    'agent-cards/kid.md': '---\nname: kid\nfunction_tools: [../tools.ts:twice]\n---\nHelp.\n',
    'tools.ts': 'export function twice(args: { x: number }) {\n  return args.x * 2;\n}\n',
    'callboard.yaml': `version: 1
scripts:
  lead:
    - turns:
        - calls: [{ tool: agent__kid, arguments: { text: one } }, { tool: agent__kid, arguments: { text: two } }]
        - text: All done.
  kid:
    - turns:
        - calls: [{ tool: twice, arguments: { x: 4 } }]
        - text: Counted.
`,
  });
  project = await insertProject(store, 'Again', folder, { origin: 'api' });
  old = await runToEnd(undefined);
  log = await readAllEvents(store, old);
});

afterAll(async () => {
  await stopWorker();
  await notifications.close();
  rmSync(data, { recursive: true, force: true });
});

test('from a step, only what comes after it is done, and the record is part of the log', async () => {
  const run = await runToEnd({ kind: 'from', run: old, files: 'recorded', at: startOf(log, 'lead/kid[2]#m2') });
  const events = await readAllEvents(store, run);
  const seam = events.findIndex(endsTaken);
  expect(doneIn(events.slice(seam))).toEqual(['lead/kid[2]#m2', 'lead#m2']);
  expect(events.filter(({ kind }) => kind === 'model.ended')).toHaveLength(6);
  expect(events.map(({ at }) => at)).toEqual([...events.map(({ at }) => at)].sort((a, b) => a - b));
  const found = await findRun(store, run);
  expect(found).toMatchObject({ status: 'completed', answer: 'All done.', again: { of: old, kind: 'from' } });
});

test('one instance runs alone, and its tool is answered from the record', async () => {
  const tools = { twice: 'record' as const };
  const run = await runToEnd({ kind: 'instance', run: old, files: 'recorded', path: 'lead/kid[2]', tools }, 'kid');
  const events = await readAllEvents(store, run);
  expect(doneIn(events)).toEqual(['kid#m1', 'kid#m2']);
  expect(events.filter((event) => event.kind === 'log')).toMatchObject([{ code: 'answer_recorded', step: 'kid#t1' }]);
  expect(events.find((event) => event.kind === 'instance.started')).toMatchObject({ input: 'two' });
});

test('a pinned result answers the calls of its agent', async () => {
  const result = { content: [{ type: 'text' as const, text: 'pinned' }], isError: false };
  const pin = { id: randomUUID(), projectId: project, agentName: 'kid', tool: 'twice', arguments: { x: 4 }, result };
  await insertPin(store, { ...pin, runId: old, seq: 1 });
  const events = await readAllEvents(store, await runToEnd(undefined));
  const answers = events.flatMap((event) =>
    event.kind === 'tool.ended' && event.step.includes('kid[') ? [event.result] : [],
  );
  expect(answers).toEqual([result, result]);
});

async function runToEnd(again: AgainRequest | undefined, agent?: string): Promise<RunId> {
  const { treeHash } = await findProject(store, project);
  const id = brandAs<RunId>(randomUUID());
  const correlationId = brandAs<CorrelationId>(randomUUID());
  await queue.enqueueRun({
    id,
    projectId: project,
    treeHash,
    correlationId,
    agent,
    message: 'Go',
    model: undefined,
    again,
  });
  const signal = new AbortController().signal;
  for await (const batch of watchRun(store, notifications, systemClock, { id, after: 0, signal })) {
    if (batch.some(({ kind }) => kind === 'run.finished')) break;
  }
  return id;
}

function startOf(events: readonly RunEvent[], step: string): number {
  return events.find((event) => event.kind === 'model.started' && event.step === step)?.seq ?? 0;
}

/** The model calls that were made. */
function doneIn(events: readonly RunEvent[]): readonly string[] {
  return events.flatMap((event) => (event.kind === 'model.started' ? [event.step] : []));
}
