import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { brandAs, type CorrelationId, type RunId } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import { childToolName } from '@/lib/cards/tool-name';
import { readAllEvents, runEventsChannel } from '@/lib/store/events';
import { openNotifications } from '@/lib/store/notifications';
import { findProject, insertProject } from '@/lib/store/projects';
import { findRun } from '@/lib/store/runs';
import { testDatabase } from '@/lib/testing/postgres';
import { watchRun } from '@/lib/testing/watch-run';
import { startWorkerHere } from '@/lib/testing/worker-here';
import { endProcess, startWorkerProcess } from '@/lib/testing/worker-process';
import { decodeTrace, encodeTrace } from '@/lib/trace/columns';
import { emptyTrace } from '@/lib/trace/empty-trace';
import { foldEvent } from '@/lib/trace/fold';
import { slimEvent } from '@/lib/trace/slim-event';
import { openRunQueue } from './enqueue';
import { systemClock } from './system-clock';

const { url, store } = await testDatabase();
const queue = openRunQueue(store);
const notifications = openNotifications(url, runEventsChannel);
const data = mkdtempSync(path.join(tmpdir(), 'callboard-odd-'));
afterAll(async () => {
  await notifications.close();
  rmSync(data, { recursive: true, force: true });
});

const long = 'x'.repeat(90);
const names = ['__proto__', 'constructor', 'a.b', 'Zoë_東京_🗼', long];

const folder = folderOf({
  ...Object.fromEntries(names.map((name, index) => [`agent-cards/c${index}.md`, `---\nname: "${name}"\n---\nHelp.\n`])),
  'agent-cards/lead.md': `---\nname: lead\nagents: ${JSON.stringify(names)}\n---\nLead.\n`,
  'callboard.yaml': `version: 1
entry: lead
scripts:
  lead:
    - turns:
        - calls: ${JSON.stringify(names.map((name) => ({ tool: childToolName(name, 'agent__'), arguments: { text: 'go' } })))}
        - { text: over }
${names.map((name) => `  "${name}": [{turns: [{text: "${name} says", delay_ms: 2000}]}]`).join('\n')}
`,
});

test('odd names come through the queue, a killed worker, another one, the store and the timeline', async () => {
  const projectId = await insertProject(store, 'Odd', folder, { origin: 'api' });
  const { treeHash } = await findProject(store, projectId);
  const ask = async (agent: string | undefined): Promise<RunId> => {
    const id = brandAs<RunId>(randomUUID());
    const correlationId = brandAs<CorrelationId>(randomUUID());
    await queue.enqueueRun({ id, projectId, treeHash, correlationId, agent, message: 'Go', model: undefined });
    return id;
  };
  const seen = async (id: RunId, kind: string) => {
    const { signal } = new AbortController();
    for await (const batch of watchRun(store, notifications, systemClock, { id, after: 0, signal })) {
      if (batch.some((event) => event.kind === kind && (!('path' in event) || event.path !== 'lead'))) return;
    }
  };
  const first = await startWorkerProcess({ databaseUrl: url, dataFolder: data });
  const runId = await ask(undefined);
  await seen(runId, 'instance.started');
  await endProcess(first, 'SIGKILL');
  const second = await startWorkerHere({ databaseUrl: url, dataFolder: data });
  const starts = await Promise.all(names.map(ask));
  for (const id of [runId, ...starts]) await seen(id, 'run.finished');
  await second.stop();

  const events = await readAllEvents(store, runId);
  expect(events.map(({ kind }) => kind)).toContain('run.resumed');
  expect((await findRun(store, runId)).status).toBe('completed');
  const answers = events.flatMap((event) => (event.kind === 'instance.ended' ? [event.answer] : []));
  expect(answers.sort()).toEqual([...names.map((name) => `${name} says`), 'over'].sort());
  const trace = emptyTrace();
  for (const event of events) foldEvent(trace, slimEvent(event));
  const replayed = decodeTrace(encodeTrace(trace));
  expect(replayed.lanes.map(({ agentName, status }) => [agentName, status])).toEqual(
    ['lead', ...names].map((name) => [name, 'ok']),
  );
  for (const [index, id] of starts.entries()) {
    const run = await findRun(store, id);
    expect([run.status, run.answer]).toEqual(['completed', `${names[index]} says`]);
  }
});
