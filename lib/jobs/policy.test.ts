import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunId } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import type { PolicyRuleBody } from '@/lib/cards/policy/rule';
import { findAudit } from '@/lib/store/audit';
import { readAllEvents } from '@/lib/store/events';
import { keepServerNews } from '@/lib/store/known-servers';
import { findItems } from '@/lib/store/pending-items';
import { putRule, readPolicy, removeRule } from '@/lib/store/policy';
import { insertProject } from '@/lib/store/projects';
import { findRun } from '@/lib/store/runs';
import { localActor } from '@/lib/testing/local-actor';
import { testDatabase } from '@/lib/testing/postgres';
import { queuedRuns } from '@/lib/testing/queued-runs';
import { startWorkerHere, type WorkerHere } from '@/lib/testing/worker-here';
import { answerItems } from './end-items';

const { url, store } = await testDatabase();
const { start, ended, run } = queuedRuns(store);
const data = mkdtempSync(path.join(tmpdir(), 'callboard-policy-'));
let worker: WorkerHere;

beforeAll(async () => {
  worker = await startWorkerHere({ databaseUrl: url, dataFolder: data });
});
afterAll(async () => {
  await worker.stop();
  rmSync(data, { recursive: true, force: true });
});

const sender = {
  'lead.md': '---\nname: lead\ndefault: true\nmodel: passthrough\nfunction_tools: [tools.ts:send]\n---\nLead.\n',
  'tools.ts': 'export function send() {\n  return "sent";\n}\n',
  'guard.ts':
    'export function guard(ctx: unknown, args: object, next: (args: object) => unknown) {\n  return next(args);\n}\n',
  'callboard.yaml':
    'version: 1\nscripts:\n  lead:\n    - turns:\n        - calls: [{ tool: send, arguments: {} }]\n        - text: Done.\n',
};
const guarded = {
  ...sender,
  'lead.md': sender['lead.md'].replace('---\nLead', 'tool_hooks: [guard.ts:guard]\n---\nLead'),
};
const guardRule: PolicyRuleBody = {
  name: 'Sends are guarded',
  level: 'block',
  demand: { kind: 'hook', tools: ['send'], hook: 'guard.ts:guard', place: 'first' },
};

async function project(files: Readonly<Record<string, string>>, ...rules: readonly PolicyRuleBody[]) {
  const id = await insertProject(store, 'Own', folderOf(files), { origin: 'blank' });
  for (const rule of rules) await putRule(store, { project: id, id: randomUUID() }, rule, localActor);
  return id;
}

const resultsOf = async (id: RunId) =>
  (await readAllEvents(store, id)).flatMap((event) =>
    event.kind === 'tool.ended' ? [JSON.stringify(event.result)] : [],
  );

it('a run without the demanded hook is refused before anything starts, and one with it runs', async () => {
  const refused = await run(await project(sender, guardRule));
  expect(refused).toMatchObject({
    status: 'failed',
    error: { code: 'policy', message: expect.stringContaining("The rule 'Sends are guarded' of your team is broken") },
  });
  const done = await run(await project(guarded, guardRule));
  expect(done).toMatchObject({ status: 'completed' });
  expect(await resultsOf(done.id)).toEqual([expect.stringContaining('sent')]);
});

it('a rule of every project binds a project that has no rule, until it is removed', async () => {
  const place = { project: null, id: randomUUID() };
  await putRule(store, place, { ...guardRule, name: 'Everywhere' }, localActor);
  const own = await project(sender);
  try {
    expect((await run(own)).error).toMatchObject({ code: 'policy' });
  } finally {
    await removeRule(store, { project: null, name: 'Everywhere' }, localActor);
  }
  expect(await run(own)).toMatchObject({ status: 'completed' });
});

it('a server that is not on the list of a rule never starts', async () => {
  const mark = path.join(data, randomUUID());
  const own = await project(
    {
      'lead.md': '---\nname: lead\nmodel: passthrough\nservers: [mark]\n---\nLead.\n',
      'fast-agent.yaml': `mcp:\n  servers:\n    mark: { command: touch, args: ${JSON.stringify([mark])} }\n`,
    },
    { name: 'Known servers', level: 'block', demand: { kind: 'servers', allow: ['npx -y @team/*'] } },
  );
  expect((await run(own)).error).toMatchObject({
    code: 'policy',
    message: expect.stringContaining("the server 'mark'"),
  });
  expect(existsSync(mark)).toBe(false);
});

it('a listed tool that may write without the demanded hook stops the run before its server starts', async () => {
  const mark = path.join(data, randomUUID());
  const files = {
    'lead.md': '---\nname: lead\nmodel: passthrough\nservers: [mail]\n---\nLead.\n',
    'fast-agent.yaml': `mcp:\n  servers:\n    mail: { command: touch, args: ${JSON.stringify([mark])} }\n`,
  };
  const writers: PolicyRuleBody = {
    name: 'Writers are guarded',
    level: 'block',
    demand: { kind: 'hook', tools: ['*'], writes: true, hook: 'guard.ts:guard', place: 'any' },
  };
  const after = async (readOnly: boolean | undefined) => {
    const own = await project(files, writers);
    const listing = { tools: [{ name: 'send', inputSchema: {}, readOnly }], resources: [], prompts: [], probedAt: 1 };
    const prints = { tools: { send: 'a' }, resources: {}, prompts: {} };
    await keepServerNews(store, own, [{ news: 'listed', server: 'mail', listing, prints }]);
    return (await run(own)).error;
  };
  expect(await after(false)).toMatchObject({
    code: 'policy',
    message: expect.stringContaining("'mail__send' does not go through the hook guard.ts:guard"),
  });
  expect(existsSync(mark)).toBe(false);
  // The server itself says it when the run has reached it, and each call is looked at.
  expect(await after(undefined)).not.toMatchObject({ code: 'policy' });
  expect(existsSync(mark)).toBe(true);
});

it('a demanded approval suspends the run, which a rule that is set meanwhile stops when it goes on', async () => {
  const own = await project(sender, {
    name: 'Somebody looks',
    level: 'block',
    demand: { kind: 'approval', tools: ['*'], writes: true },
  });
  const id = await start(own);
  const items = async () =>
    await findItems(store, { scope: 'all', run: id, status: 'open' }, { after: undefined, limit: 5 });
  await expect.poll(async () => (await items()).length).toBe(1);
  const [item] = await items();
  const asked = (await readAllEvents(store, id)).find(({ kind }) => kind === 'person.asked');
  expect(asked).toMatchObject({ why: { rule: 'Somebody looks', level: 'team' } });
  await expect.poll(async () => (await findRun(store, id)).status).toBe('suspended');
  await putRule(store, { project: own, id: randomUUID() }, guardRule, localActor);
  if (item) await answerItems(store, [{ item: item.id, answer: { decision: 'approve', by: 'ana', via: 'web' } }]);
  expect((await ended(id)).error).toMatchObject({ code: 'policy' });
});

it('setting and removing a rule is in the audit log, and a rule has one name', async () => {
  const own = await project(sender, guardRule, { ...guardRule, level: 'warn' });
  expect((await readPolicy(store, own)).map(({ name, level }) => [name, level])).toEqual([
    ['Sends are guarded', 'warn'],
  ]);
  expect(await removeRule(store, { project: own, name: guardRule.name }, localActor)).toBe(true);
  expect(await removeRule(store, { project: own, name: guardRule.name }, localActor)).toBe(false);
  const entries = await findAudit(store, { project: own, limit: 10 }, undefined);
  expect(entries.map(({ action }) => action).toSorted()).toEqual(['policy.removed', 'policy.set', 'policy.set']);
});
