import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { DELETE, GET as read } from '@/app/api/v1/projects/[project]/conversations/[conversation]/route';
import { GET as list } from '@/app/api/v1/projects/[project]/conversations/route';
import { POST as start } from '@/app/api/v1/projects/[project]/runs/route';
import type { ConversationDetail, ConversationPage } from '@/lib/base/conversation';
import { brandAs, type ProjectId, type RunId } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import { endRun } from '@/lib/jobs/end-run';
import { systemClock } from '@/lib/jobs/system-clock';
import { insertProject } from '@/lib/store/projects';
import { findFilesOfRun, findRun } from '@/lib/store/runs';
import { takeRun } from '@/lib/store/take-run';
import { testDatabase } from '@/lib/testing/postgres';

const { url, store } = await testDatabase();
const host = '127.0.0.1:3000';
let project: ProjectId;

beforeAll(() => vi.stubEnv('DATABASE_URL', url));
afterAll(() => vi.unstubAllEnvs());
beforeEach(async () => {
  project = await insertProject(
    store,
    'Talk',
    folderOf({
      'agent-cards/lead.md': '---\nname: lead\nmodel: passthrough\ndefault: true\n---\nLead.\n',
      'agent-cards/other.md': '---\nname: other\nmodel: passthrough\n---\nHelp.\n',
    }),
    { origin: 'api' },
  );
});

type Route = (request: Request, context: { params: Promise<never> }) => Promise<Response>;

async function route(handler: Route, method: string, params: Record<string, string>, body?: unknown, query = '') {
  const request = new Request(`http://${host}/api/v1?${query}`, {
    method,
    headers: { Host: host, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return await handler(request, { params: Promise.resolve(params) as never });
}

async function listConversations(of: ProjectId, query: Record<string, string> = {}): Promise<ConversationPage> {
  const response = await route(list, 'GET', { project: of }, undefined, String(new URLSearchParams(query)));
  return await response.json();
}

/** Rejects with the message of a refusal. */
async function readConversation(
  of: ProjectId,
  conversation: string,
  query: Record<string, string> = {},
): Promise<ConversationDetail> {
  const params = { project: of, conversation };
  const response = await route(read, 'GET', params, undefined, String(new URLSearchParams(query)));
  const body = await response.json();
  if (!response.ok) throw new Error(body.error.message);
  return body;
}

const started = z.object({
  runId: z.string().transform((id) => brandAs<RunId>(id)),
  conversationId: z.string().optional(),
});

async function send(message: string, conversationId?: string, more: Record<string, unknown> = {}) {
  const response = await route(start, 'POST', { project }, { message, conversationId, ...more });
  expect(response.status).toBe(202);
  return started.parse(await response.json());
}

async function refused(body: Record<string, unknown>, of: ProjectId = project): Promise<string> {
  const response = await route(start, 'POST', { project: of }, body);
  const { error } = z.object({ error: z.object({ message: z.string() }) }).parse(await response.json());
  return `${response.status} ${error.message}`;
}

async function end(runId: RunId, status: 'completed' | 'failed' = 'completed'): Promise<void> {
  const taken = await takeRun(store, runId, 'test');
  if (taken === undefined) throw new Error('not taken');
  await endRun(store, systemClock, taken, { status, error: { code: 'x', message: 'Because.' } });
}

test('a message begins a conversation or continues it, and without an id it is a run as ever', async () => {
  const plain = await send('hello');
  expect(plain.conversationId).toBeUndefined();
  expect(await findRun(store, plain.runId)).toMatchObject({ conversationId: undefined, isInLine: undefined });
  const first = await send('hello\n  there', 'new');
  const id = first.conversationId ?? '';
  const second = await send('and then', id, { attachments: [{ name: 'a.txt', mediaType: 'text/plain', text: 'hi' }] });
  expect(second.conversationId).toBe(id);
  const runs = await Promise.all([first, second].map(({ runId }) => findRun(store, runId)));
  expect(runs.map(({ conversationId, correlationId, isInLine }) => [conversationId, correlationId, isInLine])).toEqual([
    [id, id, undefined],
    [id, id, true],
  ]);
  const named = await send('more', id, { correlationId: 'mine' });
  expect(await findRun(store, named.runId)).toMatchObject({ correlationId: 'mine' });

  expect(await readConversation(project, id)).toMatchObject({
    id,
    agent: 'lead',
    title: 'hello there',
    runCount: 3,
    status: 'queued',
    next: null,
    turns: [
      { runId: first.runId, message: 'hello\n  there', status: 'queued', answer: null, error: null, attachments: [] },
      {
        runId: second.runId,
        isInLine: true,
        attachments: [{ name: 'a.txt', mediaType: 'text/plain', bytes: 2 }],
        finishedAt: null,
      },
      { runId: named.runId },
    ],
  });
});

test('a run again has the files of the old one, and a turn that has not begun is not run again', async () => {
  const attachments = [{ name: 'a.png', mediaType: 'image/png', data: 'AAEC' }];
  const { runId, conversationId } = await send('look', 'new', { attachments });
  const again = { kind: 'again', run: runId };
  expect(await refused({ again })).toMatch(/^409 The run has not begun/);
  await end(runId);
  const made = await send('look again', undefined, { again });
  expect(await findFilesOfRun(store, made.runId)).toEqual(attachments);
  expect((await readConversation(project, conversationId ?? '')).runCount).toBe(1);
});

test('what cannot be continued is refused with the reason, and nothing is stored', async () => {
  const { conversationId = '' } = await send('hello', 'new');
  const other = await insertProject(store, 'Other', folderOf({ 'a.md': 'a' }), { origin: 'api' });
  expect(await refused({ message: 'x', conversationId: 'nope' })).toMatch(/^404 .*no conversation nope/);
  expect(await refused({ message: 'x', conversationId }, other)).toMatch(/^404 .*no conversation/);
  expect(await refused({ message: 'x', conversationId, agent: 'other' })).toMatch(/^400 agent: .*'lead'/);
  expect(await refused({ message: 'x', conversationId: 'new', agent: 'ghost' })).toMatch(/^400 .*no agent 'ghost'/);
  expect(await refused({ message: 'x', conversationId: 'new' }, other)).toMatch(/^400 .*cannot begin a conversation/);
  const again = { kind: 'again', run: 'r' };
  expect(await refused({ message: 'x', conversationId, again })).toMatch(/^400 conversationId: /);
  const file = { name: 'a.png', mediaType: 'image/png', data: 'AAAA' };
  expect(await refused({ message: 'x', attachments: Array(11).fill(file) })).toMatch(/^400 attachments: /);
  expect(await refused({ message: 'x', attachments: [{ ...file, data: 'A'.repeat(14_000_000) }] })).toMatch(
    /^413 .*10 MB/,
  );
  expect(await refused({ message: 'x', attachments: [{ ...file, text: 'and' }] })).toMatch(
    /^400 attachments\.0: .*either/,
  );
  expect(await refused({ message: 'x', attachments: [{ ...file, data: '%' }] })).toMatch(/^400 attachments\.0\.data/);
  expect((await readConversation(project, conversationId)).runCount).toBe(1);
});

test('conversations and their turns are listed page by page', async () => {
  const ids: string[] = [];
  for (const message of ['one', 'two', 'three']) ids.push((await send(message, 'new')).conversationId ?? '');
  await send('again', ids[0]);
  const found: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const { conversations, next } = await listConversations(project, { limit: '2', ...(cursor && { cursor }) });
    found.push(...conversations.map(({ title, runCount }) => `${title} ${runCount}`));
    if (next === null) break;
    cursor = next;
  }
  expect(found).toEqual(['one 2', 'three 1', 'two 1']);

  for (const message of ['b', 'c', 'd']) await send(message, ids[1]);
  const newest = await readConversation(project, ids[1] ?? '', { limit: '3' });
  expect(newest.turns.map(({ message }) => message)).toEqual(['b', 'c', 'd']);
  const older = await readConversation(project, ids[1] ?? '', { limit: '3', cursor: newest.next ?? '' });
  expect([older.turns.map(({ message }) => message), older.next]).toEqual([['two'], null]);
  await expect(readConversation(project, ids[1] ?? '', { cursor: 'x' })).rejects.toThrow(/^cursor: /);
});

test('a conversation is deleted when all its turns have ended, and its runs stay', async () => {
  const { conversationId = '', runId } = await send('hello', 'new');
  const params = { project, conversation: conversationId };
  expect((await route(DELETE, 'DELETE', params)).status).toBe(409);
  await end(runId, 'failed');
  expect(await listConversations(project)).toMatchObject({ conversations: [{ status: 'failed' }] });
  expect((await readConversation(project, conversationId)).turns).toMatchObject([
    { status: 'failed', error: { code: 'x', message: 'Because.' } },
  ]);
  expect((await route(DELETE, 'DELETE', params)).status).toBe(204);
  const { rows } = await store.pool.query(`SELECT action, body FROM "Audit" WHERE object = $1`, [conversationId]);
  expect(rows).toEqual([{ action: 'conversation.deleted', body: '{"agent":"lead"}' }]);
  expect(await findRun(store, runId)).toMatchObject({ status: 'failed', conversationId: undefined });
  expect((await route(DELETE, 'DELETE', params)).status).toBe(404);
  await expect(readConversation(project, conversationId)).rejects.toThrow(/no conversation/);
  expect(await refused({ message: 'x', conversationId })).toMatch(/^404/);
});

test('more than a hundred messages do not wait, and a project goes with its conversations', async () => {
  const { conversationId = '', runId } = await send('hello', 'new');
  await store.pool.query(
    `INSERT INTO "Run" (id, "projectId", "treeHash", "correlationId", message, "conversationId", turn, "inLine")
     SELECT 'waits-' || n, "projectId", "treeHash", id, '"m"', "conversationId", 1 + n, true
     FROM "Run", generate_series(1, 100) n WHERE id = $1`,
    [runId],
  );
  await store.pool.query(`UPDATE "Conversation" SET turns = 101 WHERE id = $1`, [conversationId]);
  expect(await refused({ message: 'x', conversationId })).toMatch(/^409 100 messages of this conversation wait/);
  expect((await readConversation(project, conversationId, { limit: '1' })).runCount).toBe(101);
  await store.prisma.project.delete({ where: { id: project } });
  expect(await store.prisma.conversation.count({ where: { id: conversationId } })).toBe(0);
});
