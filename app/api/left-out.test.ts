import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { POST as start } from '@/app/api/v1/projects/[project]/runs/route';
import { GET as read } from '@/app/api/v1/runs/[run]/route';
import { brandAs, type ProjectId, type RunId } from '@/lib/base/ids';
import type { LeftOut } from '@/lib/base/left-out';
import { folderOf } from '@/lib/cards/files';
import { answerItems } from '@/lib/jobs/end-items';
import { textOf } from '@/lib/runtime/record/messages';
import { saveFixture } from '@/lib/server/fixtures';
import { readAllEvents } from '@/lib/store/events';
import { findItems } from '@/lib/store/pending-items';
import { insertProject } from '@/lib/store/projects';
import { findRun } from '@/lib/store/runs';
import { localActor } from '@/lib/testing/local-actor';
import { modernStdioServer } from '@/lib/testing/modern-server';
import { testDatabase } from '@/lib/testing/postgres';
import { startWorkerHere } from '@/lib/testing/worker-here';

/** Runs do without agents, servers and tools, from the request on to the end, with servers that are really started. */

const { url, store } = await testDatabase();
const data = mkdtempSync(path.join(tmpdir(), 'callboard-left-out-'));
const host = '127.0.0.1:3000';
const startsOf = (server: string) => path.join(data, `starts-${server}`);
let project: ProjectId;

beforeAll(async () => {
  vi.stubEnv('DATABASE_URL', url);
  const server = (name: string) => modernStdioServer.replace("'starts'", JSON.stringify(startsOf(name)));
  const folder = folderOf({
    'agent-cards/lead.md':
      '---\nname: lead\ndefault: true\nservers: [own, other]\nagents: [kid]\nfunction_tools: [tools.ts:add]\n---\nLead.\n',
    'agent-cards/kid.md': '---\nname: kid\n---\nHelp.\n',
    'agent-cards/tools.ts': '/** Adds. */\nexport function add(): string { return "added"; }\n',
    'own.mjs': server('own'),
    'other.mjs': server('other'),
    'fast-agent.yaml':
      'mcp: { servers: { own: { command: node, args: [own.mjs] }, other: { command: node, args: [other.mjs] } } }\n',
    'callboard.yaml': `version: 1
mcp: { elicitation: ask }
approvals: { hold_s: 0 }
scripts:
  lead:
    - turns:
        - calls:
            - { tool: own__book, arguments: {} }
            - { tool: own__guess, arguments: {} }
            - { tool: other__book, arguments: {} }
            - { tool: agent__kid, arguments: { message: Go } }
            - { tool: add, arguments: {} }
        - text: done
  kid:
    - turns:
        - text: helped
`,
  });
  project = await insertProject(store, 'Without', folder, { origin: 'api' });
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(data, { recursive: true, force: true });
});

async function post(body: Record<string, unknown>): Promise<Response> {
  const headers = { Host: host, 'Content-Type': 'application/json' };
  const request = new Request(`http://${host}/api/v1`, { method: 'POST', headers, body: JSON.stringify(body) });
  return await start(request, { params: Promise.resolve({ project }) as never });
}

async function started(body: Record<string, unknown>): Promise<RunId> {
  const response = await post(body);
  expect(response.status).toBe(202);
  return brandAs<RunId>(z.object({ runId: z.string() }).parse(await response.json()).runId);
}

async function refused(body: Record<string, unknown>): Promise<string> {
  const response = await post(body);
  const { error } = z.object({ error: z.object({ message: z.string() }) }).parse(await response.json());
  return `${response.status} ${error.message}`;
}

const leftOut: readonly LeftOut[] = [
  { kind: 'agent', name: 'kid' },
  { kind: 'server', name: 'other' },
  { kind: 'tool', server: 'own', name: 'guess' },
  { kind: 'function', name: 'agent-cards/tools.ts:add' },
];

test('what is left out is neither started nor offered, also after the run was suspended and another worker took it', async () => {
  const id = await started({ message: 'Go', leftOut });
  let worker = await startWorkerHere({ databaseUrl: url, dataFolder: data });
  try {
    const patient = { timeout: 60_000, interval: 20 };
    await expect.poll(async () => (await findRun(store, id)).status, patient).toBe('suspended');
    await worker.stop();
    worker = await startWorkerHere({ databaseUrl: url, dataFolder: data });
    const items = await findItems(store, { scope: 'all', run: id, status: 'open' }, { after: undefined, limit: 10 });
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
    await vi.waitFor(async () => expect((await findRun(store, id)).status).toBe('completed'), patient);
  } finally {
    await worker.stop();
  }
  const log = await readAllEvents(store, id);
  expect(log[0]).toMatchObject({ kind: 'run.started', leftOut });
  expect(log.flatMap((event) => (event.kind === 'instance.queued' ? event.agentName : []))).toEqual(['lead']);
  const answers = log.flatMap((event) =>
    event.kind === 'tool.ended' && event.result.isError ? textOf(event.result.content) : [],
  );
  expect(answers).toHaveLength(4);
  expect([existsSync(startsOf('own')), existsSync(startsOf('other'))]).toEqual([true, false]);
  await expect(saveFixture(localActor, project, { run: id, name: 'whole', expect: {} })).rejects.toThrow(
    'The run is without kid, other, own__guess, add, and a test has everything.',
  );
}, 150_000);

test('a run tells what it does without, and a run that is made from it does without the same', async () => {
  const first = await started({ message: 'Go', leftOut: [...leftOut, leftOut[0]] });
  const request = new Request(`http://${host}/api/v1`, { headers: { Host: host } });
  const told = await read(request, { params: Promise.resolve({ run: first }) as never });
  expect(await told.json()).toMatchObject({ leftOut });
  const again = { kind: 'again', run: first };
  expect((await findRun(store, await started({ again }))).leftOut).toEqual(leftOut);
  expect((await findRun(store, await started({ again, leftOut: [] }))).leftOut).toEqual([]);
});

test('a run that cannot do without something is refused when it is asked for', async () => {
  expect(await refused({ message: 'Go', leftOut: [{ kind: 'agent', name: 'lead' }] })).toBe(
    "400 The run begins at agent 'lead', so the run cannot leave it out. Keep it, or begin at another agent.",
  );
  expect(await refused({ message: 'Go', leftOut: [{ kind: 'server', name: 'nowhere' }] })).toContain(
    "400 The project has no server 'nowhere' to leave out.",
  );
  expect(await refused({ message: 'Go', leftOut: [{ kind: 'hook', name: 'guard' }] })).toMatch(/^400 leftOut/);
});
