import { randomBytes, randomUUID } from 'node:crypto';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { brandAs, type CorrelationId, type ProjectId, type RunId } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import { readAllEvents, runEventsChannel } from '@/lib/store/events';
import { openNotifications } from '@/lib/store/notifications';
import { outageOf } from '@/lib/store/outage';
import { findProject, insertProject } from '@/lib/store/projects';
import { afterOutage, ownPostgres } from '@/lib/testing/own-postgres';
import { smallDisk } from '@/lib/testing/small-disk';
import { watchRun } from '@/lib/testing/watch-run';
import { endProcess, startWorkerProcess } from '@/lib/testing/worker-process';
import { openRunQueue } from './enqueue';
import { systemClock } from './system-clock';

/** The answers take their time, so that the disk fills up between the first and the last. */
const talkative = folderOf({
  'agent-cards/lead.md': '---\nname: lead\ndefault: true\nagents: [kid]\n---\nLead.\n',
  'agent-cards/kid.md': '---\nname: kid\n---\nKid.\n',
  'callboard.yaml': `version: 1
scripts:
  lead:
    - turns:
        - calls: [{ tool: agent__kid, arguments: { message: a } }]
        - calls: [{ tool: agent__kid, arguments: { message: b } }]
        - text: over
  kid:
    - turns:
        - { text: "${'word '.repeat(20_000)}", delay_ms: 1500 }
`,
});

test('database, queue and worker on a full disk: starts are refused, runs wait, and all end right when there is room', async (context) => {
  const disk = smallDisk(context, 240 * 1024);
  const { store, url } = await ownPostgres(disk.folder);
  const queue = openRunQueue(store);
  const notifications = openNotifications(url, runEventsChannel);
  const worker = await startWorkerProcess({ databaseUrl: url, dataFolder: path.join(disk.folder, 'data'), env: {} });
  onTestFinished(async () => {
    await endProcess(worker, 'SIGKILL');
    await notifications.close();
  });

  async function start(projectId: ProjectId): Promise<RunId> {
    const { treeHash } = await findProject(store, projectId);
    const id = brandAs<RunId>(randomUUID());
    const correlationId = brandAs<CorrelationId>(randomUUID());
    await queue.enqueueRun({
      id,
      projectId,
      treeHash,
      correlationId,
      agent: undefined,
      message: 'Go',
      model: undefined,
    });
    return id;
  }
  async function until(runId: RunId, kind: string): Promise<void> {
    const signal = new AbortController().signal;
    for await (const batch of watchRun(store, notifications, systemClock, { id: runId, after: 0, signal })) {
      if (batch.some((event) => event.kind === kind)) return;
    }
  }
  /** Until the database itself has felt it: it has some room left in its own files. */
  async function fillUp(): Promise<void> {
    for (let tries = 0; tries < 500; tries += 1) {
      disk.fill();
      const big = folderOf({ 'a.md': randomBytes(300_000).toString('hex') });
      const outage = await insertProject(store, 'big', big, { origin: 'api' }).then(() => undefined, outageOf);
      if (outage === 'disk_full') return;
    }
    throw new Error('the disk never became full');
  }

  const projectId = await insertProject(store, 'Test', talkative, { origin: 'api' });
  const begun = await Promise.all(Array.from({ length: 5 }, () => start(projectId)));
  await Promise.all(begun.map((runId) => until(runId, 'run.started')));
  await fillUp();
  // Small rows may find room in pages that Postgres has; what is refused is refused as an outage, what is taken must end.
  const meanwhile: RunId[] = [];
  for (let index = 0; index < 20; index += 1) {
    const started = await start(projectId).catch((error: unknown) => outageOf(error) ?? error);
    if (typeof started === 'string' && !['disk_full', 'unreachable', 'overloaded'].includes(started)) {
      meanwhile.push(brandAs<RunId>(started));
    } else expect(['disk_full', 'unreachable', 'overloaded']).toContain(started);
  }
  // What is stored can be read.
  expect((await afterOutage(() => findProject(store, projectId))).name).toBe('Test');
  disk.free();
  const after = await afterOutage(() => start(projectId));

  for (const runId of [...begun, ...meanwhile, after]) {
    await until(runId, 'run.finished');
    const events = await readAllEvents(store, runId);
    expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
    const ended = events.flatMap((event) => (event.kind.endsWith('.ended') && 'step' in event ? [event.step] : []));
    expect(new Set(ended).size).toBe(ended.length);
    expect(events.at(-1)).toMatchObject({ kind: 'run.finished', status: 'completed', answer: 'over' });
  }
  expect([worker.exitCode, worker.signalCode]).toEqual([null, null]);
});
