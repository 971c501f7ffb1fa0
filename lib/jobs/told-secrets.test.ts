import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { ProjectId } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import { ensureSecretKey } from '@/lib/server/secret-key';
import { readAllEvents } from '@/lib/store/events';
import { insertProject } from '@/lib/store/projects';
import { seal } from '@/lib/store/sealing';
import { labelOf, putSecret } from '@/lib/store/secrets';
import { startFakeOpenAI } from '@/lib/testing/fake-openai';
import { holdsSecret } from '@/lib/testing/find-secret';
import { localActor } from '@/lib/testing/local-actor';
import { testDatabase } from '@/lib/testing/postgres';
import { queuedRuns } from '@/lib/testing/queued-runs';
import { startRequestTrap } from '@/lib/testing/request-trap';
import { answerTelling, tellingFolder } from '@/lib/testing/telling-folder';
import { endProcess, startWorkerProcess } from '@/lib/testing/worker-process';

const stored = 'strd-cnry-83b0e6d2f914-of-the-project';
const shared = 'inst-cnry-2c97fa05d8b3-of-the-installation';
const listed = 'lstd-9d31c0aa47be5562-given';
/** The model says a secret that it was never told. */
const said = shared;

const { url, store } = await testDatabase();
const { start, ended } = queuedRuns(store);
const dataFolder = mkdtempSync(path.join(tmpdir(), 'callboard-told-'));
const trap = await startRequestTrap();
const model = await startFakeOpenAI({ respond: answerTelling(said) });
const worker = await startWorkerProcess({
  databaseUrl: url,
  dataFolder,
  env: {
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: 'sk-of-the-operator-71',
    LISTED: listed,
    CALLBOARD_PROJECT_ENV: 'LISTED',
  },
});

afterAll(async () => {
  await endProcess(worker, 'SIGTERM');
  await Promise.all([trap.close(), model.close()]);
  rmSync(dataFolder, { recursive: true, force: true });
});

async function put(project: ProjectId | null, name: string, value: string) {
  const { id: keyId, publicKey } = ensureSecretKey({ dataFolder, secretKey: undefined, oldSecretKey: undefined });
  const sealed = seal(value, labelOf(project, name), { id: keyId, publicKey });
  await putSecret(store, { id: randomUUID(), project, name, keyId, sealed, hosts: [] }, localActor);
}

test('secrets that servers get or return are recorded as ***, and no model reads them', {
  timeout: 90_000,
}, async () => {
  const project = await insertProject(store, 'Telling', folderOf(tellingFolder(trap.url, { asks: false })), {
    origin: 'api',
  });
  await put(project, 'STORED', stored);
  await put(null, 'SHARED', shared);
  const run = await start(project);
  const end = await ended(run);
  const events = await readAllEvents(store, run);
  const recorded = JSON.stringify([end, events], (_, value) => (typeof value === 'bigint' ? String(value) : value));
  const sum = createHash('sha256').update([stored, shared, listed, stored].join(' ')).digest('hex');
  // The process got all of them.
  expect(recorded).toContain(`sum=${sum}`);
  expect(trap.requests.some((request) => request.startsWith(`/echo?s=${stored}`))).toBe(true);
  const told = 'stored=*** shared=*** listed=***';
  for (const where of ['Tells', 'In the call:', '1:', 'It failed:']) expect(recorded).toContain(`${where} ${told}`);
  expect(recorded).toContain('And ***.');
  const asked = JSON.stringify(model.requests.map(({ body }) => body)).replaceAll(said, '');
  expect(asked).toContain(`Tells ${told}`);
  expect(asked).toContain(`Instructions: ${told}`);
  for (const secret of [stored, shared, listed]) {
    expect([secret, holdsSecret(recorded, secret), holdsSecret(asked, secret)]).toEqual([secret, false, false]);
  }
});

const askingServer = `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
const { STORED = '', SHARED = '', LISTED = '' } = process.env;
const said = 'stored=' + STORED + ' shared=' + SHARED + ' listed=' + LISTED;
const server = new McpServer({ name: 'asker', version: '1' });
const done = async (asked) => ({ content: [{ type: 'text', text: JSON.stringify(await asked) }] });
const field = { type: 'string', title: 'Title ' + said, description: 'Says ' + said };
const requestedSchema = { type: 'object', properties: { city: field } };
server.registerTool('form', {}, () => done(server.server.elicitInput({ message: 'Form ' + said, requestedSchema })));
const messages = [{ role: 'user', content: { type: 'text', text: 'Prompt ' + said } }];
server.registerTool('think', {}, () => done(server.server.createMessage({ systemPrompt: 'System ' + said, messages, maxTokens: 9 })));
await server.connect(new StdioServerTransport());
`;

test('what a server asks people, and asks a model before people, shows its secrets as ***', {
  timeout: 90_000,
}, async () => {
  const folder = folderOf({
    'agent-cards/lead.md': '---\nname: lead\ndefault: true\nservers: [asker]\n---\nLead.\n',
    'ask.mjs': askingServer,
    'fast-agent.yaml': `mcp:
  servers:
    asker: { command: node, args: [ask.mjs], env: { STORED: "\${STORED}", SHARED: "\${SHARED}", LISTED: "\${LISTED}" } }
`,
    'callboard.yaml': `version: 1
mcp: { elicitation: ask, sampling: ask }
scripts:
  lead:
    - turns:
        - calls: [{ tool: asker__form, arguments: {} }, { tool: asker__think, arguments: {} }]
        - text: done
`,
  });
  const project = await insertProject(store, 'Asking', folder, { origin: 'api' });
  await put(project, 'STORED', stored);
  const run = await start(project);
  const asked = async () =>
    (await store.pool.query('SELECT kind, sentence, question FROM "PendingItem" WHERE "runId" = $1', [run])).rows;
  await expect.poll(async () => (await asked()).length, { timeout: 60_000, interval: 50 }).toBe(2);
  const shown = JSON.stringify([await asked(), await readAllEvents(store, run)]);
  const told = 'stored=*** shared=*** listed=***';
  for (const where of ['Form', 'Title', 'Says', 'System', 'Prompt']) expect(shown).toContain(`${where} ${told}`);
  for (const secret of [stored, shared, listed]) expect([secret, holdsSecret(shown, secret)]).toEqual([secret, false]);
});
