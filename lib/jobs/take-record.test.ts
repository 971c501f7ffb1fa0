import { expect, test } from 'vitest';
import { brandAs, type RunId } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import type { EventBody, RunEvent } from '@/lib/runtime/record/events';
import { takenCode } from '@/lib/runtime/record/take-record';
import type { Store } from '@/lib/store/database';
import { createEventWriter } from '@/lib/store/event-writer';
import { readAllEvents } from '@/lib/store/events';
import { readTree } from '@/lib/store/trees';
import { graphOf } from '@/lib/testing/graph-of';
import { testDatabase } from '@/lib/testing/postgres';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel } from '@/lib/testing/scripted-model';
import { storedRun, taken } from '@/lib/testing/stored-run';
import { systemClock } from './system-clock';
import { takeRecord } from './take-record';

const { store } = await testDatabase();
const files = folderOf({
  'lead.md': '---\nname: lead\ndefault: true\nagents: [kid]\n---\nLead.\n',
  'kid.md': '---\nname: kid\n---\nHelp.\n',
});
const changed = folderOf({ 'lead.md': '---\nname: lead\ndefault: true\nagents: []\n---\nLead.\n' });

test('a worker that died while it wrote the record of another run is continued by the next one', async () => {
  const old = await oldRun(store);
  const at = seqOf(old.log, 'lead#m2');
  const run = await storedRun(store, files);
  const first = await attempt(run, old.id, at);
  const whole = await readAllEvents(store, run);
  expect(whole.at(-1)).toMatchObject({ kind: 'log', code: takenCode });
  expect(first.ok && first.value).toEqual(whole);
  // Only the beginning was stored when the worker died.
  const again = await storedRun(store, files);
  const writer = createEventWriter(store, again, {
    ...ends,
    startSeq: 0,
    epoch: (await taken(store, again, 'one')).epoch,
  });
  for (const { seq: _seq, at: time, ...body } of whole.slice(0, 5)) writer.appendAt(namedFor(again, body), time);
  await writer.flush();
  const second = await attempt(again, old.id, at);
  expect(second.ok && second.value.map(({ kind }) => kind)).toEqual(whole.map(({ kind }) => kind));
  const stored = await readAllEvents(store, again);
  expect(stored.map(({ seq }) => seq)).toEqual(stored.map((_, index) => index + 1));
  const third = await attempt(again, old.id, at);
  expect(third.ok && third.value).toEqual(stored);
});

test('steps that other files would not make are left out, and the log says which and why', async () => {
  const old = await oldRun(store);
  const run = await storedRun(store, changed);
  const log = await attempt(run, old.id, seqOf(old.log, 'lead#m2'));
  if (!log.ok) throw new Error(log.error.message);
  expect(log.value.filter(({ kind }) => kind === 'model.ended' || kind === 'tool.ended')).toHaveLength(1);
  expect(log.value.at(-1)).toMatchObject({
    level: 'warning',
    message: expect.stringContaining(
      "Agent 'kid' is no longer in the project. The record does not match from there on. 1 model call",
    ),
  });
});

test('the record of a run that was deleted cannot be taken', async () => {
  const run = await storedRun(store, files);
  expect(await attempt(run, brandAs<RunId>('gone'), 3)).toMatchObject({ ok: false, error: { code: 'record_gone' } });
});

const ends = { clock: systemClock, onLost: () => undefined, batchMs: 0 };

async function attempt(run: RunId, old: RunId, at: number) {
  const mine = await taken(store, run, 'worker');
  const writer = createEventWriter(store, run, {
    ...ends,
    startSeq: mine.lastSeq,
    startAt: mine.lastAt,
    epoch: mine.epoch,
  });
  const context = {
    store,
    clock: systemClock,
    readTree: (hash: Parameters<typeof readTree>[1]) => readTree(store.prisma, hash),
    readForRun: async (_hash: unknown, folder: typeof files) => ({
      ok: true as const,
      value: { parsed: readFolder(folder) },
    }),
  };
  const parsed = readFolder(await readTree(store.prisma, mine.treeHash));
  return await takeRecord(context, mine, { kind: 'from', run: old, files: 'recorded', at }, parsed, writer);
}

async function oldRun(into: Store): Promise<{ readonly id: RunId; readonly log: readonly RunEvent[] }> {
  const model = scriptedModel({
    lead: [{ calls: [{ tool: 'agent__kid', arguments: { text: 'x' } }] }, 'end'],
    kid: 'kid says',
  });
  const { log } = await runGraph({ parsed: graphOf('lead > kid'), model });
  const id = await storedRun(into, files);
  const writer = createEventWriter(into, id, { ...ends, startSeq: 0, epoch: (await taken(into, id, 'old')).epoch });
  for (const { seq: _seq, at, ...body } of log) writer.appendAt(body, at);
  await writer.flush();
  return { id, log };
}

function seqOf(log: readonly RunEvent[], step: string): number {
  return log.find((event) => event.kind === 'model.started' && event.step === step)?.seq ?? 0;
}

function namedFor(runId: RunId, body: EventBody): EventBody {
  return body.kind === 'run.started' ? { ...body, runId } : body;
}
