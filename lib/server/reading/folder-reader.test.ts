import { afterAll, expect, test } from 'vitest';
import { brandAs, type EpochMs } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { withSecrets } from '@/lib/cards/read/secrets';
import { listCapabilities } from '@/lib/cards/trust/list-capabilities';
import { neededVariables } from '@/lib/cards/variables/asked-variables';
import { layoutGraph } from '@/lib/graph/layout';
import { pictureOf } from '@/lib/graph/picture';
import { projectGraph } from '@/lib/graph/project';
import { writeZip } from '@/lib/server/folders/zip';
import { listSamples, readSample } from '@/lib/server/samples';
import { openFolderReader } from './folder-reader';

const reader = openFolderReader({ seconds: 60 });
afterAll(() => reader.close());

test.each((await listSamples()).map(({ id }) => id))('the sample %s reads the same in a thread', async (id) => {
  const { folder } = await readSample(id);
  const parsed = readFolder(folder);
  const graph = projectGraph(parsed);
  const points = await layoutGraph(graph, parsed.settings.canvas.positions);
  const capabilities = listCapabilities(folder, parsed);
  expect(await reader.readForRun(folder)).toEqual({
    ok: true,
    value: { parsed, ...withSecrets(parsed, folder), capabilities },
  });
  expect(await reader.capabilities(folder)).toEqual({ ok: true, value: capabilities });
  expect(await reader.place(folder)).toEqual({ ok: true, value: points });
  expect(await reader.picture(folder)).toEqual({ ok: true, value: pictureOf(graph, points) });
  expect(await reader.summarise(folder)).toMatchObject({ ok: true, value: { agentCount: parsed.cards.length } });
  expect(await reader.check(folder)).toMatchObject({
    cards: parsed.cards.map(({ file, name, type }) => ({ file, name, type })),
    issues: parsed.issues,
    needs: neededVariables(folder, parsed),
  });
  expect(await reader.unzip(writeZip(folder))).toEqual(new Map([...folder].sort()));
});

test('a conversation may begin with the agents that are no tools, and with the models that the files name', async () => {
  const folder = folderOf({
    'lead.md': '---\nname: lead\nmodel: openai.one\ndefault: true\nagents: [kid]\n---\nLead.\n',
    'kid.md': '---\nname: kid\ntool_only: true\n---\nHelp.\n',
    'fast-agent.yaml': 'default_model: openai.two\n',
  });
  expect(await reader.chat(folder)).toEqual({
    ok: true,
    value: {
      entry: 'lead',
      agents: ['lead'],
      models: { models: ['openai.two', undefined, 'openai.one'], references: {}, hasScript: false },
      defaultModel: 'openai.two',
      hasProviders: false,
    },
  });
});

test('what is wrong with a zip is said as ever', async () => {
  await expect(reader.unzip(new Uint8Array([1, 2, 3]))).rejects.toMatchObject({
    name: 'AppError',
    code: 'bad_request',
  });
});

/** Whatever the parser does: this thread says what it reads and then computes for ever. */
const spinning = async () => `
  const { parentPort, workerData } = require('node:worker_threads');
  parentPort.on('message', ({ job }) => {
    Atomics.store(workerData.place, 0, [...job.input.keys()].sort().indexOf('agent-cards/slow.md'));
    for (;;);
  });
  parentPort.postMessage({ ready: true });
`;

test('a folder that is not read in time is an Issue that names the file', async () => {
  const slow = openFolderReader({ seconds: 0.2 }, spinning);
  const folder = folderOf({ 'agent-cards/slow.md': 'x', 'agent-cards/a.md': 'y', 'fast-agent.yaml': '' });
  const issue = {
    code: 'too-complex',
    severity: 'error',
    stage: 'callboard',
    file: 'agent-cards/slow.md',
    line: 1,
    column: 1,
    message:
      "Reading 'agent-cards/slow.md' took longer than 0.2 seconds and was ended. " +
      'Make the file smaller or simpler, or take it out of the project.',
  };
  expect(await slow.check(folder)).toMatchObject({ cards: [], issues: [issue], needs: [] });
  expect(await slow.summarise(folder)).toEqual({ ok: false, error: issue });
  expect(await slow.readForRun(folder)).toEqual({ ok: false, error: issue });
  await slow.close();
});

test('a folder whose files fit together too slowly is an Issue at its largest text', async () => {
  const slow = openFolderReader({ seconds: 0.2 }, spinning);
  const { issues } = await slow.check(folderOf({ 'a.md': 'x', 'b/tools.ts': 'let largest;' }));
  expect(issues).toMatchObject([{ code: 'too-complex', file: 'b/tools.ts' }]);
  expect(issues[0]?.message).toContain("Its largest text is 'b/tools.ts'");
  await slow.close();
});

test('a thread shows what the model of an agent is offered, with recorded texts', async () => {
  const folder = folderOf({
    'a.md': '---\nname: a\nhuman_input: true\n---\nI am {{agentName}}. {{url:https://a.example/x}}\n',
  });
  const question = { folder, now: brandAs<EpochMs>(0), fetched: new Map([['https://a.example/x', 'Text.']]) };
  const found = await reader.surface({ ...question, agent: 'a' });
  expect(found.ok && found.value?.instruction.text.trim()).toBe('I am a. Text.');
  expect(found.ok && found.value?.surface.tools.map(({ name }) => name)).toEqual(['__human_input']);
  expect(await reader.surface({ ...question, agent: 'gone' })).toEqual({ ok: true, value: null });
});
