import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { brandAs, type CorrelationId, type RunId } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import { answerItems } from '@/lib/jobs/end-items';
import { openRunQueue } from '@/lib/jobs/enqueue';
import { openStore, type Store } from '@/lib/store/database';
import { findItems } from '@/lib/store/pending-items';
import { findProject, insertProject } from '@/lib/store/projects';
import { findRun } from '@/lib/store/runs';
import { localActor } from '@/lib/testing/local-actor';
import { emptyDatabase, ownDatabase } from '@/lib/testing/postgres';
import { startWorkerHere } from '@/lib/testing/worker-here';
import { makeBackup } from './make-backup';
import { restoreFile } from './restore-file';

const { url, store } = await ownDatabase();

/** One letter, which waits for a person. */
const letters = folderOf({
  'agent-cards/lead.md': '---\nname: lead\ndefault: true\nfunction_tools: [tools.ts:send]\n---\nLead.\n',
  'agent-cards/tools.ts': `/** Sends. */\nexport function send(to: string): string { return 'sent to ' + to; }\n`,
  'callboard.yaml': `version: 1
approvals: { hold_s: 0, rules: [{ tools: [send], effect: ask }] }
scripts:
  lead:
    - turns:
        - calls: [{ tool: send, arguments: { to: ana } }]
        - text: '{{result}}'
`,
});

async function start(): Promise<RunId> {
  const projectId = await insertProject(store, 'Letters', letters, { origin: 'api' });
  const { treeHash } = await findProject(store, projectId);
  const id = brandAs<RunId>(randomUUID());
  const correlationId = brandAs<CorrelationId>(randomUUID());
  const run = { id, projectId, treeHash, correlationId, agent: undefined, message: 'Go', model: undefined };
  await openRunQueue(store).enqueueRun(run);
  return id;
}

const becomes = (where: Store, run: RunId, status: string) =>
  expect.poll(async () => (await findRun(where, run)).status).toBe(status);

test('after a restore a suspended run is answered and goes on, and a queued run is executed', async () => {
  const data = mkdtempSync(path.join(tmpdir(), 'callboard-backup-runs-'));
  const first = await startWorkerHere({ databaseUrl: url, dataFolder: data });
  const suspended = await start();
  await becomes(store, suspended, 'suspended');
  await first.stop();
  const queued = await start();
  const file = path.join(data, 'runs.backup');
  await makeBackup(url, file, { now: new Date(), by: localActor });

  const target = await emptyDatabase(url);
  await restoreFile(target, file, { replace: false, by: localActor });
  const copy = openStore(target);
  const second = await startWorkerHere({ databaseUrl: target, dataFolder: data });
  try {
    await becomes(copy, queued, 'suspended');
    for (const run of [suspended, queued]) {
      const [item] = await findItems(copy, { scope: 'all', run, status: 'open' }, { after: undefined, limit: 10 });
      if (item === undefined) throw new Error('No question is open');
      await answerItems(copy, [{ item: item.id, answer: { decision: 'approve', by: 'ana', via: 'web' } }]);
      await becomes(copy, run, 'completed');
      expect((await findRun(copy, run)).answer).toContain('sent to ana');
    }
    expect((await findRun(store, suspended)).status).toBe('suspended');
  } finally {
    await second.stop();
    await copy.close();
    rmSync(data, { recursive: true, force: true });
  }
});
