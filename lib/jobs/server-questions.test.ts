import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { brandAs, type CorrelationId, type RunId } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import { textOf } from '@/lib/runtime/record/messages';
import { readAllEvents } from '@/lib/store/events';
import { findItems } from '@/lib/store/pending-items';
import { findProject, insertProject } from '@/lib/store/projects';
import { findRun } from '@/lib/store/runs';
import { modernStdioServer } from '@/lib/testing/modern-server';
import { testDatabase } from '@/lib/testing/postgres';
import { endProcess, startWorkerProcess } from '@/lib/testing/worker-process';
import { answerItems } from './end-items';
import { openRunQueue } from './enqueue';

const { url, store } = await testDatabase();
const data = mkdtempSync(path.join(tmpdir(), 'callboard-questions-'));
const workers = new Set<ChildProcess>();

afterEach(async () => {
  await Promise.all([...workers].map((worker) => endProcess(worker, 'SIGTERM')));
});
afterAll(() => rmSync(data, { recursive: true, force: true }));

async function startWorker(): Promise<ChildProcess> {
  const worker = await startWorkerProcess({ databaseUrl: url, dataFolder: data });
  workers.add(worker);
  return worker;
}

const folder = folderOf({
  'agent-cards/lead.md': '---\nname: lead\ndefault: true\nservers: [own]\n---\nLead.\n',
  'server.mjs': modernStdioServer,
  'fast-agent.yaml': 'mcp: { servers: { own: { command: node, args: [server.mjs] } } }\n',
  'callboard.yaml': `version: 1
mcp: { elicitation: ask }
approvals: { hold_s: 0 }
scripts:
  lead:
    - turns:
        - calls: [{ tool: own__book, arguments: {} }]
        - text: done
`,
});

test('what a server needs is asked, the run is suspended, its worker killed, and another one gives the answers', async () => {
  const projectId = await insertProject(store, 'Booking', folder, { origin: 'api' });
  const { treeHash } = await findProject(store, projectId);
  const id = brandAs<RunId>(randomUUID());
  const correlationId = brandAs<CorrelationId>(randomUUID());
  const queue = openRunQueue(store);
  await queue.enqueueRun({ id, projectId, treeHash, correlationId, agent: undefined, message: 'Go', model: undefined });
  const first = await startWorker();
  const patient = { timeout: 30_000, interval: 20 };
  await expect.poll(async () => (await findRun(store, id)).status, patient).toBe('suspended');
  workers.delete(first);
  await endProcess(first, 'SIGKILL');

  const items = await findItems(store, { scope: 'all', run: id, status: 'open' }, { after: undefined, limit: 10 });
  expect(items.map(({ kind, sentence }) => [kind, sentence]).toSorted()).toEqual([
    ['question', "Server 'own' asks to open pay.example: Pay"],
    ['question', "Server 'own' asks: Which city?"],
  ]);
  // What the server keeps with us is in no event and in no item, which people can read.
  const { rows } = await store.pool.query('SELECT question FROM "PendingItem" WHERE "runId" = $1', [id]);
  expect(JSON.stringify([rows, await readAllEvents(store, id)])).not.toContain('new-state');
  expect((await store.prisma.keptForCall.findMany()).map(({ step, value }) => [step, JSON.parse(value).state])).toEqual(
    [['lead#t1', 'new-state']],
  );

  const by = { by: 'ana', via: 'web' };
  await answerItems(
    store,
    items.map(({ id: item, sentence }) => ({
      item,
      answer: sentence.includes('city')
        ? { decision: 'answer', content: { city: 'Oslo' }, ...by }
        : { decision: 'approve', ...by },
      grant: undefined,
    })),
  );
  await startWorker();
  await vi.waitFor(async () => expect((await findRun(store, id)).status).toBe('completed'), patient);
  const log = await readAllEvents(store, id);
  const told = log.flatMap((event) => (event.kind === 'tool.ended' ? [textOf(event.result.content)] : []));
  expect(told.map((text) => JSON.parse(text))).toEqual([
    {
      given: {
        city: { action: 'accept', content: { city: 'Oslo' } },
        link: { action: 'accept' },
        where: { roots: [] },
      },
      state: 'new-state',
    },
  ]);
  expect(log.filter(({ kind }) => kind === 'tool.started')).toHaveLength(1);
  expect(log.filter(({ kind }) => kind === 'person.asked')).toHaveLength(2);
  expect(await store.prisma.keptForCall.count()).toBe(0);
}, 90_000);
