import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProjectId } from '@/lib/base/ids';
import type { TaskAnswer, ToolRequest } from '@/lib/base/task';
import { folderOf } from '@/lib/cards/files';
import type { PolicyRuleBody } from '@/lib/cards/policy/rule';
import { ensureSecretKey } from '@/lib/server/secret-key';
import { keepServerNews } from '@/lib/store/known-servers';
import { putRule } from '@/lib/store/policy';
import { insertProject } from '@/lib/store/projects';
import { seal } from '@/lib/store/sealing';
import { labelOf, putSecret } from '@/lib/store/secrets';
import type { ProjectOrigin } from '@/lib/store/trust';
import { liveProcesses } from '@/lib/testing/live-processes';
import { localActor } from '@/lib/testing/local-actor';
import { testDatabase } from '@/lib/testing/postgres';
import { taskDesk } from '@/lib/testing/task-desk';
import { tellingServer } from '@/lib/testing/telling-server';
import { hasPython } from '@/lib/testing/test-code-hosts';
import { startWorkerHere, type WorkerHere } from '@/lib/testing/worker-here';

const { url, store } = await testDatabase();
const desk = taskDesk(store, url);
const data = mkdtempSync(path.join(tmpdir(), 'callboard-tools-'));
let worker: WorkerHere;

beforeAll(async () => {
  const env = { CALLBOARD_PYTHON: '1', CALLBOARD_ALLOW_PRIVATE_URLS: '127.0.0.1' };
  worker = await startWorkerHere({ databaseUrl: url, dataFolder: data, env });
});
afterAll(async () => {
  await worker.stop();
  await desk.close();
  rmSync(data, { recursive: true, force: true });
});

type Files = Readonly<Record<string, string>>;

const stdio = (mark = 'telling') =>
  `mcp:\n  servers:\n    it:\n      command: node\n      args: [server.mjs, ${mark}]\n`;
const ofServer: Files = {
  'lead.md': '---\nname: lead\nservers: [it]\ntools: {it: [say, fail, token, picture, much, hang]}\n---\nLead.\n',
  'few.md': '---\nname: few\nservers: [it]\ntools: {it: [say]}\n---\nFew.\n',
  'server.mjs': tellingServer,
  'fast-agent.yaml': stdio(),
};
const ofCode: Files = {
  'lead.md': '---\nname: lead\nfunction_tools: [tools.ts:add, tools.ts:spin]\n---\nLead.\n',
  'tools.ts': `/** Adds two numbers. */
export function add(a: number, b: number) {
  console.log('adding ' + a);
  return { sum: a + b };
}

export function spin() {
  for (;;) {}
}
`,
};

const projectOf = (files: Files, origin: ProjectOrigin = 'api'): Promise<ProjectId> =>
  insertProject(store, 'Test', folderOf(files), { origin });

const ask = async (project: ProjectId, request: Omit<ToolRequest, 'kind'>): Promise<TaskAnswer> =>
  await desk.answerOf(await desk.begin(project, { kind: 'tool', ...request }));

const say = { agent: 'lead', tool: 'it__say', server: 'it', arguments: { text: 'hello' } } as const;
const add = { agent: 'lead', tool: 'add', arguments: { a: 2, b: 3 } } as const;

describe('a tool of a server', () => {
  test('is called over stdio, by a process that ends with the call', async () => {
    const mark = `mark-${randomUUID()}`;
    const answer = await ask(await projectOf({ ...ofServer, 'fast-agent.yaml': stdio(mark) }), say);
    expect(answer).toMatchObject({
      ok: true,
      kind: 'tool',
      report: {
        agent: 'lead',
        tool: 'it__say',
        inputSchema: { required: ['text'] },
        result: { content: [{ type: 'text', text: 'hello' }], structuredContent: { said: 'hello' }, isError: false },
      },
    });
    expect(liveProcesses(mark)).toBe(0);
  });

  test('is called over HTTP', async () => {
    const child = spawn('node', ['--input-type=module', '-e', tellingServer], { env: { ...process.env, PORT: '0' } });
    try {
      const [line] = await once(child.stdout, 'data');
      const config = `mcp:\n  servers:\n    it: {url: "${String(line).trim()}"}\n`;
      const answer = await ask(await projectOf({ ...ofServer, 'fast-agent.yaml': config }), say);
      expect(answer).toMatchObject({ ok: true, report: { result: { content: [{ text: 'hello' }] } } });
    } finally {
      child.kill();
    }
  });

  test('has an error or a picture as its answer', async () => {
    const project = await projectOf(ofServer);
    expect(await ask(project, { ...say, tool: 'it__fail', arguments: {} })).toMatchObject({
      ok: true,
      report: { result: { isError: true, content: [{ text: 'no such city' }] } },
    });
    expect(await ask(project, { ...say, tool: 'it__picture', arguments: {} })).toMatchObject({
      report: { result: { content: [{ type: 'image', mimeType: 'image/png' }] } },
    });
  });

  test('gets arguments that do not fit only when somebody wants that', async () => {
    const project = await projectOf(ofServer);
    const request = { ...say, arguments: { text: 7 } };
    const refused = {
      ok: false,
      code: 'invalid_arguments',
      message: "The arguments do not fit 'it__say', so it was not called: text must be string.",
      problems: [{ field: 'text', message: 'must be string' }],
    };
    expect(await ask(project, request)).toEqual(refused);
    expect(await ask(project, { ...request, unchecked: true })).toMatchObject({
      report: { result: { structuredContent: { said: 7 } } },
    });
  });

  test('is not even started for arguments that do not fit what it listed in its last test', async () => {
    const mark = `mark-${randomUUID()}`;
    const project = await projectOf({
      ...ofServer,
      'fast-agent.yaml': stdio(mark),
      'server.mjs': 'process.exit(1);\n',
    });
    const inputSchema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
    const listing = { tools: [{ name: 'say', inputSchema }], resources: [], prompts: [], probedAt: 0 };
    const prints = { tools: {}, resources: {}, prompts: {} };
    await keepServerNews(store, project, [{ news: 'listed', server: 'it', listing, prints }]);
    expect(await ask(project, { ...say, arguments: {} })).toMatchObject({
      code: 'invalid_arguments',
      problems: [{ field: 'text', message: 'is missing' }],
    });
    expect(await ask(project, { ...say, arguments: {}, unchecked: true })).toMatchObject({ code: 'not_available' });
  });

  test('is not called if the card leaves it out, the server does not have it, or the agent does not use the server', async () => {
    const project = await projectOf({ ...ofServer, 'other.md': '---\nname: other\n---\nOther.\n' });
    for (const request of [
      { ...say, agent: 'few', tool: 'it__fail', arguments: {} },
      { ...say, tool: 'it__none' },
      { ...say, agent: 'other' },
      { ...say, agent: 'nobody' },
      { ...say, server: 'none', tool: 'none__say' },
    ]) {
      expect(await ask(project, request), request.tool).toMatchObject({ ok: false, code: 'not_found' });
    }
  });

  test('has its answer cut as in a run', async () => {
    const answer = await ask(await projectOf(ofServer), { ...say, tool: 'it__much', arguments: { chars: 3_000_000 } });
    expect(answer).toMatchObject({ ok: true });
    expect(JSON.stringify(answer).length).toBeLessThan(400_000);
  });

  test('shows a secret neither in the answer nor in what its server printed', async () => {
    const token = 'cnry-55b1e0c7-of-the-project';
    const config = `${stdio()}      env: {TOKEN: "\${TOKEN}"}\n`;
    const project = await projectOf({ ...ofServer, 'fast-agent.yaml': config });
    const { id: keyId, publicKey } = ensureSecretKey({
      ...{ dataFolder: data, secretKey: undefined, oldSecretKey: undefined },
    });
    const sealed = seal(token, labelOf(project, 'TOKEN'), { id: keyId, publicKey });
    await putSecret(store, { id: randomUUID(), project, name: 'TOKEN', keyId, sealed, hosts: [] }, localActor);
    const answer = await ask(project, { ...say, tool: 'it__token', arguments: {} });
    expect(answer).toMatchObject({ ok: true, report: { log: [{ message: expect.stringContaining('the token is') }] } });
    expect(JSON.stringify(answer)).not.toContain(token);
    const { rows } = await store.pool.query('SELECT answer FROM "Task" WHERE "projectId" = $1', [project]);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  test('ends with its server when somebody stops it', async () => {
    const mark = `mark-${randomUUID()}`;
    const project = await projectOf({ ...ofServer, 'fast-agent.yaml': stdio(mark) });
    const id = await desk.begin(project, { ...say, kind: 'tool', tool: 'it__hang', arguments: {} });
    await desk.until(id, () => liveProcesses(mark) > 0);
    await desk.queue.cancelTask(id);
    expect(await desk.answerOf(id)).toMatchObject({ ok: false, code: 'cancelled' });
    expect(liveProcesses(mark)).toBe(0);
  });

  test('is not started in an imported folder that nobody has confirmed', async () => {
    const mark = `mark-${randomUUID()}`;
    const project = await projectOf({ ...ofServer, 'fast-agent.yaml': stdio(mark) }, 'import');
    expect(await ask(project, say)).toMatchObject({ ok: false, code: 'not_trusted' });
    expect(liveProcesses(mark)).toBe(0);
  });
});

describe('a function', () => {
  test('in TypeScript is called in the sandbox, and what it prints is told', async () => {
    const project = await projectOf(ofCode);
    expect(await ask(project, add)).toMatchObject({
      ok: true,
      report: {
        description: 'Adds two numbers.',
        result: { isError: false, content: [{ text: expect.stringContaining('5') }] },
        log: [{ level: 'info', message: 'tools.ts:add: adding 2' }],
      },
    });
    const { arguments: _, ...lookUp } = add;
    expect(await ask(project, lookUp)).toMatchObject({
      report: { inputSchema: { properties: { a: { type: 'number' } } }, log: [] },
    });
  });

  test.runIf(hasPython())('in Python is called where Python is on', async () => {
    const files = {
      'lead.md': '---\nname: lead\nfunction_tools: [tools.py:add]\n---\nLead.\n',
      'tools.py': 'def add(a: int, b: int) -> int:\n    print("adding", a)\n    return a + b\n',
    };
    expect(await ask(await projectOf(files), add)).toMatchObject({
      report: { result: { content: [{ text: '5' }] }, log: [{ message: expect.stringContaining('adding 2') }] },
    });
    expect(await ask(await projectOf(files, 'import'), add)).toMatchObject({ ok: false, code: 'not_trusted' });
  });

  test('that does not end is stopped', async () => {
    const id = await desk.begin(await projectOf(ofCode), { kind: 'tool', agent: 'lead', tool: 'spin', arguments: {} });
    await desk.until(id, ({ state }) => state === 'running');
    await desk.queue.cancelTask(id);
    expect(await desk.answerOf(id)).toMatchObject({ ok: false, code: 'cancelled' });
  });

  test('that cannot be loaded, or that the card does not have, is not called', async () => {
    const broken = await projectOf({ ...ofCode, 'tools.ts': 'export function add(' });
    expect(await ask(broken, add)).toMatchObject({ ok: false, code: 'not_available' });
    expect(await ask(broken, { ...add, tool: 'other' })).toMatchObject({ ok: false, code: 'not_found' });
  });
});

describe('rules', () => {
  const withRule = async (files: Files, rule: PolicyRuleBody) => {
    const project = await projectOf(files);
    await putRule(store, { project, id: randomUUID() }, rule, localActor);
    return project;
  };

  test('of the team about servers, hooks and approvals hold', async () => {
    const servers: PolicyRuleBody = {
      ...{ name: 'Only ours', level: 'block' },
      demand: { kind: 'servers', allow: ['*.example.org'] },
    };
    expect(await ask(await withRule(ofServer, servers), say)).toMatchObject({ ok: false, code: 'policy' });
    const guard =
      'export function guard(ctx: unknown, args: object, next: (args: object) => unknown) { return next(args); }\n';
    const guarded = {
      ...ofCode,
      'lead.md': ofCode['lead.md']?.replace('---\nLead', 'tool_hooks: [guard.ts:guard]\n---\nLead') ?? '',
      'guard.ts': guard,
    };
    const hook: PolicyRuleBody = {
      ...{ name: 'Guarded', level: 'block' },
      demand: { kind: 'hook', tools: ['add', 'spin'], hook: 'guard.ts:guard', place: 'any' },
    };
    expect(await ask(await withRule(guarded, hook), add)).toMatchObject({
      ...{ ok: false, code: 'policy' },
      message: expect.stringContaining('No hooks run in a try'),
    });
    const approval: PolicyRuleBody = {
      ...{ name: 'Asked first', level: 'block' },
      demand: { kind: 'approval', tools: ['add'] },
    };
    const project = await withRule(ofCode, approval);
    expect(await ask(project, add)).toMatchObject({ ok: false, code: 'approval_needed' });
    expect(await ask(project, { ...add, approve: true })).toMatchObject({ ok: true });
  });

  test('of the project about approvals hold', async () => {
    const denied = await projectOf({
      ...ofCode,
      'callboard.yaml': 'version: 1\napprovals:\n  rules: [{tools: [add], effect: deny}]\n',
    });
    expect(await ask(denied, { ...add, approve: true })).toMatchObject({ ok: false, code: 'denied' });
  });
});
