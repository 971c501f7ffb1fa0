import { beforeAll, describe, expect, test, vi } from 'vitest';
import { POST as a2a } from '@/app/api/v1/projects/[project]/a2a/route';
import { POST as mcp } from '@/app/api/v1/projects/[project]/mcp/route';
import { type Scope, scopes } from '@/lib/base/rights';
import { callsOfPrograms } from '@/lib/server/mcp/open-calls';
import { testDatabase } from '@/lib/testing/postgres';
import { type FullProject, fullProject } from '@/lib/testing/rights/full-project';
import { projectRows } from '@/lib/testing/rights/project-rows';
import { personInBrowser, scriptRequest, tokenFor, withTokens } from '@/lib/testing/token-people';

/* What programs of each kind reach through MCP and A2A where accounts are on. No worker runs: what is started stays queued. */

const { url, store } = await testDatabase();
withTokens(url);

let mine: FullProject;
let theirs: FullProject;

interface Program {
  readonly by: string;
  /** What it sends. `undefined` for nothing. */
  readonly token: string | undefined;
}

const programs = new Map<string, Program>();

/** What each program may do in the project `mine`. */
const kinds = [
  ['nobody', 'nobody'],
  ['viewer', 'reads'],
  ['runner', 'runs'],
  ['token to read', 'reads'],
  ['token to run', 'runs'],
  ['token to send traces', 'sees nothing'],
  ['token of another project', 'sees nothing'],
  ['admin of another project', 'sees nothing'],
] as const;
type May = (typeof kinds)[number][1];

beforeAll(async () => {
  [mine, theirs] = [await fullProject(store), await fullProject(store)];
  const here = mine.project;
  const [viewer, runner, both, stranger] = [
    await personInBrowser(store, 'viewer@example.org', { in: { [here]: 'viewer' } }),
    await personInBrowser(store, 'runner@example.org', { in: { [here]: 'runner' } }),
    await personInBrowser(store, 'both@example.org', { in: { [here]: 'admin', [theirs.project]: 'admin' } }),
    await personInBrowser(store, 'stranger@example.org', { in: { [theirs.project]: 'admin' } }),
  ];
  const all = scopes.filter((scope) => scope !== 'administer');
  const of = async (actor: typeof viewer, given: readonly Scope[], project: FullProject['project'] | null = null) => ({
    by: actor.by,
    token: await tokenFor(actor, given, { project }),
  });
  programs.set('nobody', { by: 'nobody', token: undefined });
  programs.set('viewer', await of(viewer, all));
  programs.set('runner', await of(runner, all));
  programs.set('token to read', await of(both, ['read']));
  programs.set('token to run', await of(both, ['run']));
  programs.set('token to send traces', await of(both, ['ingest']));
  programs.set('token of another project', await of(both, ['read', 'run'], theirs.project));
  programs.set('admin of another project', await of(stranger, all));
});

const routes = { mcp, a2a };
const session = 'one-session';

interface Said {
  readonly status: number;
  readonly text: string;
}

interface Call {
  readonly to?: FullProject | 'nowhere';
  readonly method: string;
  readonly params?: unknown;
  readonly signal?: AbortSignal;
}

async function say(protocol: keyof typeof routes, kind: string, { to = mine, ...call }: Call): Promise<Said> {
  const { method, params = {}, signal } = call;
  const token = programs.get(kind)?.token;
  const request = scriptRequest(token && `Bearer ${token}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'Mcp-Session-Id': session,
    },
    body: JSON.stringify({ jsonrpc: '2.0', ...(!method.startsWith('notifications/') && { id: 7 }), method, params }),
    ...(signal && { signal }),
  });
  const project = to === 'nowhere' ? 'nowhere' : to.project;
  const response = await routes[protocol](request, { params: Promise.resolve({ project }) });
  return { status: response.status, text: await response.text() };
}

/** Those to whom the project is hidden get what everybody gets for a project that is not there. */
async function expectHidden(protocol: keyof typeof routes, kind: string, may: May, call: Call): Promise<void> {
  const said = await say(protocol, kind, call);
  expect({ kind, ...said }).toMatchObject({ status: may === 'nobody' ? 401 : 404 });
  expect(said).toEqual(await say(protocol, kind, { ...call, to: 'nowhere' }));
}

const isHidden = (may: May) => may === 'nobody' || may === 'sees nothing';
/** Without tokens, of which the last use is noted. */
const rows = async () =>
  [...(await projectRows(store, mine.project)), ...(await projectRows(store, theirs.project))].filter(
    (row) => !row.startsWith('ApiToken '),
  );
/** In the answer to whoever may not start or stop runs. */
const refusal = expect.stringMatching(/(You|This token) may not (start|stop) runs/);

/** Lets the client go once a call has done what it should, because no worker answers it. */
async function untilDone(call: (signal: AbortSignal) => Promise<Said>, isDone: () => Promise<boolean>): Promise<void> {
  const gone = new AbortController();
  const said = call(gone.signal);
  await vi.waitFor(async () => expect(await isDone()).toBe(true), { timeout: 20_000 });
  gone.abort();
  await said.catch(() => undefined);
}

async function startedBy(call: (signal: AbortSignal) => Promise<Said>, by: string): Promise<void> {
  const runs = () => store.prisma.run.count({ where: { projectId: mine.project, startedBy: by } });
  const before = await runs();
  await untilDone(call, async () => (await runs()) === before + 1);
}

describe.each(kinds)('MCP, called by %s (%s)', (kind, may) => {
  const program = () => programs.get(kind) ?? { by: '', token: undefined };
  const result = (run: string): Call => ({
    method: 'tools/call',
    params: { name: 'get_run_result', arguments: { run_id: run } },
  });

  test('calls the agent', async () => {
    const call: Call = { method: 'tools/call', params: { name: 'lead', arguments: { message: 'Go' } } };
    if (may === 'runs') return await startedBy((signal) => say('mcp', kind, { ...call, signal }), program().by);
    const before = await rows();
    if (isHidden(may)) await expectHidden('mcp', kind, may, call);
    else expect(await say('mcp', kind, call)).toEqual({ status: 200, text: refusal });
    expect(await rows()).toEqual(before);
  });

  test('asks for the result of a run', async () => {
    if (isHidden(may)) return await expectHidden('mcp', kind, may, result(mine.run));
    expect((await say('mcp', kind, result(mine.run))).text).toContain('"status":"completed"');
  });

  test('asks for the result of a run of another project', async () => {
    const said = await say('mcp', kind, result(theirs.run));
    expect(said.text).not.toContain(theirs.mark);
    expect(said.text).not.toContain('"status":"completed"');
    if (!isHidden(may)) expect(said.text).toMatch(/no such run/);
  });

  test('cancels a call', async () => {
    const { by } = program();
    const full = await fullProject(store);
    const call = { by, session, request: 7 };
    const forget = [
      callsOfPrograms.note({ ...call, project: mine.project }, mine.asking),
      // The same ids in another project are another call.
      callsOfPrograms.note({ ...call, project: full.project }, full.asking),
    ];
    const said = await say('mcp', kind, { method: 'notifications/cancelled', params: { requestId: 7 } });
    for (const each of forget) each();
    const codes = { nobody: 401, 'sees nothing': 404, reads: 403, runs: 202 } as const;
    expect([said.status, await isStopped(mine.asking), await isStopped(full.asking)]).toEqual([
      codes[may],
      may === 'runs',
      false,
    ]);
    await goesOn(mine.asking);
  });
});

async function isStopped(run: string): Promise<boolean> {
  const { status, cancelRequestedAt } = await store.prisma.run.findUniqueOrThrow({ where: { id: run } });
  return status === 'cancelled' || cancelRequestedAt !== null;
}

async function goesOn(run: string): Promise<void> {
  const data = { status: 'suspended', cancelRequestedAt: null, finishedAt: null };
  await store.prisma.run.update({ where: { id: run }, data });
}

describe.each(kinds)('A2A, called by %s (%s)', (kind, may) => {
  const message = { kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'Go' }] };
  const send = { message, configuration: { blocking: false } };

  test.each(['message/send', 'message/stream'])('sends a message: %s', async (method) => {
    const call: Call = { method, params: send };
    const { by } = programs.get(kind) ?? { by: '' };
    if (may === 'runs') return await startedBy((signal) => say('a2a', kind, { ...call, signal }), by);
    const before = await rows();
    if (isHidden(may)) await expectHidden('a2a', kind, may, call);
    else expect(await say('a2a', kind, call)).toEqual({ status: 200, text: refusal });
    expect(await rows()).toEqual(before);
  });

  test('asks for a task', async () => {
    const call: Call = { method: 'tasks/get', params: { id: mine.run } };
    if (isHidden(may)) return await expectHidden('a2a', kind, may, call);
    expect((await say('a2a', kind, call)).text).toContain('"state":"completed"');
  });

  test.each(['tasks/get', 'tasks/cancel', 'tasks/resubscribe'])('%s a task of another project', async (method) => {
    const ask = async (id: string) => {
      const said = await say('a2a', kind, { method, params: { id } });
      return { ...said, text: said.text.replaceAll(id, 'it') };
    };
    const before = await rows();
    const said = await ask(theirs.asking);
    expect(said).toEqual(await ask('none'));
    expect(said.text).not.toContain(theirs.mark);
    expect(await rows()).toEqual(before);
  });

  test('cancels a task', async () => {
    const call: Call = { method: 'tasks/cancel', params: { id: mine.asking } };
    if (isHidden(may)) await expectHidden('a2a', kind, may, call);
    else if (may === 'reads') expect(await say('a2a', kind, call)).toEqual({ status: 200, text: refusal });
    else
      await untilDone(
        (signal) => say('a2a', kind, { ...call, signal }),
        () => isStopped(mine.asking),
      );
    expect(await isStopped(mine.asking)).toBe(may === 'runs');
    await goesOn(mine.asking);
  });
});

test('the id of a task that is a number names no task', async () => {
  const { text } = await say('a2a', 'viewer', { method: 'tasks/get', params: { id: 5 } });
  expect(text).toContain('There is no task 5.');
});
