import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startFakeOpenAI } from '@/lib/testing/fake-openai';

/** The costs that `callboard run --json` reports, with the prices of the app and a real model server. */

const run = promisify(execFile);
let root = '';

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'callboard-cost-'));
  await mkdir(path.join(root, 'agent-cards'));
  const card = (name: string, lines: string) =>
    writeFile(path.join(root, `agent-cards/${name}.md`), `---\nname: ${name}\n${lines}\n---\nYou are ${name}.\n`);
  await card('lead', 'model: gpt-4o\ndefault: true\nagents: [kid, odd]');
  await card('kid', 'model: gpt-4o-mini');
  await card('odd', 'model: house-model');
});

afterAll(() => rm(root, { recursive: true, force: true }));

test('cost per model call, instance, agent and run; a model without a price is named and counts nothing', async () => {
  const usage = { prompt_tokens: 1_000_000, completion_tokens: 0 };
  const server = await startFakeOpenAI({
    respond: ({ messages }) => {
      const isLead = messages[0]?.text === 'You are lead.';
      if (!isLead || messages.some(({ role }) => role === 'tool')) return { text: 'done', usage };
      const toolCalls = ['kid', 'kid', 'odd'].map((name) => ({ name: `agent__${name}`, arguments: { text: 'go' } }));
      return { toolCalls, usage };
    },
  });
  const env = { ...process.env, OPENAI_API_KEY: '', OPENAI_BASE_URL: server.url };
  const args = ['bin/callboard.mjs', 'run', root, '--message', 'Begin.', '--json'];
  const { stdout } = await run(process.execPath, args, { env });
  await server.close();
  const events: Readonly<Record<string, unknown>>[] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const costs = (kind: string, by: string) =>
    events
      .filter((event) => event.kind === kind)
      .map((event) => `${event[by]} ${event.costUsd ?? '?'}`)
      .sort();

  expect(costs('model.ended', 'step')).toEqual([
    'lead#m1 2.5',
    'lead#m2 2.5',
    'lead/kid[1]#m1 0.15',
    'lead/kid[2]#m1 0.15',
    'lead/odd[1]#m1 ?',
  ]);
  expect(costs('instance.ended', 'path')).toEqual(['lead 5', 'lead/kid[1] 0.15', 'lead/kid[2] 0.15', 'lead/odd[1] ?']);
  expect(events.at(-1)).toMatchObject({
    kind: 'run.finished',
    usage: { inputTokens: 5_000_000, modelCalls: 5 },
    costUsd: 5.3,
    unpriced: ['house-model'],
  });
  // Children run in parallel, so their order varies.
  const { agents } = events.at(-1) ?? {};
  expect(agents).toHaveLength(3);
  expect(agents).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ agentName: 'lead', costUsd: 5 }),
      expect.objectContaining({ agentName: 'kid', costUsd: 0.3 }),
      expect.objectContaining({ agentName: 'odd', unpriced: ['house-model'] }),
    ]),
  );
});

test('an operator sets prices for own models and in place of known ones, in a file', async () => {
  const usage = {
    prompt_tokens: 1_000_000,
    cached_tokens: 400_000,
    completion_tokens: 100_000,
    reasoning_tokens: 90_000,
  };
  const server = await startFakeOpenAI({
    respond: ({ messages }) => {
      const isLead = messages[0]?.text === 'You are lead.';
      if (!isLead || messages.some(({ role }) => role === 'tool')) return { text: 'done', usage };
      const toolCalls = ['kid', 'odd'].map((name) => ({ name: `agent__${name}`, arguments: { text: 'go' } }));
      return { toolCalls, usage };
    },
  });
  const file = path.join(root, '..', `${path.basename(root)}-prices.yaml`);
  await writeFile(
    file,
    '"house-*": { input: 1, cached_input: 0.5, output: 10 }\ngpt-4o-mini: { input: 2, output: 20 }\n',
  );
  const env = { ...process.env, OPENAI_API_KEY: '', OPENAI_BASE_URL: server.url, CALLBOARD_PRICES: file };
  const args = ['bin/callboard.mjs', 'run', root, '--message', 'Begin.', '--json'];
  const { stdout } = await run(process.execPath, args, { env });
  await server.close();
  const last = JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}');
  // The lead at the known price: 0.6 fresh, 0.4 cached and 0.1 out, twice.
  const lead = 2 * (0.6 * 2.5 + 0.4 * 1.25 + 0.1 * 10);
  expect(last.costUsd).toBeCloseTo(lead + (1 * 2 + 0.1 * 20) + (0.6 * 1 + 0.4 * 0.5 + 0.1 * 10));
  expect(last).not.toHaveProperty('unpriced');

  await writeFile(file, 'house-model: { input: 1 }\n');
  await expect(run(process.execPath, args, { env })).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`CALLBOARD_PRICES: ${file}, line 1: 'house-model' has no 'output'.`),
  });
  await rm(file);
});
