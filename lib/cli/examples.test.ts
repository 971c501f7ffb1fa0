import { readdirSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { parseJson } from '@/lib/base/json';
import { callAt, type ExampleRemote, startExampleRemote } from '@/lib/testing/a2a/example-remote';
import { callCallboard, startCallboard } from '@/lib/testing/callboard';

const report = z.object({
  cards: z.array(z.object({ file: z.string() })),
  issues: z.array(z.looseObject({ severity: z.string() })),
});

/** The answer of each example, as in its README. Offline: playback scripts with real tools and servers. */
const examples: Record<string, readonly RegExp[]> = {
  'city-times': [/New York: It is \w{3}.* \d\d:\d\d\./, /London: It is \w{3}.* \d\d:\d\d\./],
  pmo: [/New York · Anthropic: .*office (open|closed)/, /London · economics/],
  'one-card': [
    /New York: The rollout plan is signed\.\s+\[audit: agent\]/,
    /Time: .*\d\d:\d\d\s+\[audit: mcp\]/,
    /Sum: 4\s+\[audit: function\]/,
  ],
  coordinator: [/Lisbon on Tuesday: sunny, 24 °C/, /The earliest is Tuesday afternoon/],
  'tool-kinds': [/No chairs are left\. Reserved 2 × lamp\./, /In Tokyo it is .*\d\d:\d\d/],
  'data-processor': [/"operation":\s*"filter"/, /18,\s*42/],
  'expert-session': [/This is a new conversation, so you have asked nothing yet\./],
  workers: [
    /Summary: The meeting settled on Friday\./,
    /Review: The loop never ends\./,
    /Archive: Error: .*archivist/,
    /Files for the reviewer: Error: This agent takes no attachments/,
    /Headline: Friday it is/,
  ],
  'asking-analyst': [/^Q3: 2 orders, 360 €$/m],
  approvals: [/^Published “Minutes”: The meeting settled on Friday\.$/m],
  'workflow-chain': [/^4\.2: search now looks into attachments/m],
  'workflow-parallel': [/Sign after changes\.\n- Limit .* \(legal\)\.\n- Have .* \(finance\)\./],
  'workflow-router': [/Invoice 2081 of 7730: .* The second payment goes back/],
  'workflow-evaluator': [/lights for 30 hours .* within 5 years, we replace it/],
  'workflow-orchestrator': [/The workshop costs 780 €/, /in the Harbour Room, Quay 4/],
  'workflow-planner': [/It now asks the tax service once for each item/],
  'workflow-maker': [/^COMPLAINT$/m],
  'workflow-a2a': [/You asked for euros\. 1800 NOK are 155\.17 EUR\. 30000 JPY are 185\.19 EUR\./],
  'hooks-typescript': [
    /4\n\[seen by assistant\]/,
    /11\n\[seen/,
    /Spent 20 € from \[account\]/,
    /Refused: more than 100 €/,
  ],
  'hooks-python': [/4\n\[audit\]/, /11\n\[audit\]/, /The bridge project is on time\.\n\[audit\]/],
};

/** These are started as processes: one with servers and TypeScript, one with Python. The others are called, which is much faster. */
const started = ['one-card', 'hooks-python'];

/** Copies of the examples in a folder from which no package can be found. */
let copies = '';
let remote: ExampleRemote | undefined;

beforeAll(async () => {
  copies = await mkdtemp(path.join(tmpdir(), 'callboard-examples-'));
  await cp('examples', copies, { recursive: true });
  remote = await startExampleRemote(path.join(copies, 'workflow-a2a'));
  await callAt(remote.url, path.join(copies, 'workflow-a2a'));
});
afterAll(async () => {
  await remote?.stop();
  await rm(copies, { recursive: true, force: true });
});

test('every example that needs no key is run', () => {
  const folders = readdirSync('examples', { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect([...Object.keys(examples), 'pmo-openai'].sort()).toEqual(folders.map(({ name }) => name).sort());
});

test('expert-session: the second call goes on with the first one’s conversation, the third begins another', async () => {
  const { stdout } = await callCallboard(['run', 'examples/expert-session', '--message', 'Please begin.', '--json']);
  const events = stdout
    .trim()
    .split('\n')
    .map((line): Readonly<Record<string, unknown>> => JSON.parse(line));
  const opened = events.filter(({ kind }) => kind === 'session.opened');
  const [first, second, third] = opened.map(({ sessionId }) => sessionId);
  expect(opened.map(({ version }) => version)).toEqual([0, 1, 0]);
  expect([second === first, third === first]).toEqual([true, false]);

  const experts = events.filter(({ kind, path }) => kind === 'instance.started' && path !== 'host');
  expect(experts.map(({ path, historyCount }) => [path, historyCount ?? 0])).toEqual([
    ['host/expert[1]', 0],
    ['host/expert[2]', 2],
    ['host/expert[3]', 0],
  ]);
  const answers = events.filter(({ kind, path }) => kind === 'instance.ended' && path !== 'host');
  expect(answers.map(({ answer }) => answer)).toEqual([
    'Yes, if you use the room for work only.',
    'For the home office you asked about, its share of the rent.',
    'This is a new conversation, so you have asked nothing yet. How much of what?',
  ]);
});

test('every example passes the checker', async () => {
  const folders = Object.keys(examples).map((name) => `examples/${name}`);
  const { code, stdout } = await callCallboard(['check', ...folders, '--json']);
  expect(code).toBe(0);
  const { cards, issues } = report.parse(parseJson(stdout));
  expect(new Set(cards.map(({ file }) => path.dirname(path.dirname(file))))).toEqual(new Set(folders));
  expect(issues.filter(({ severity }) => severity === 'error')).toEqual([]);
});

describe('every example runs offline from the command line, from a copy of its folder', () => {
  for (const [name, promises] of Object.entries(examples)) {
    test(name, async () => {
      const copy = path.join(copies, name);
      const callboard = started.includes(name) ? startCallboard : callCallboard;
      const { code, stdout, stderr } = await callboard([
        'run',
        copy,
        '--message',
        'Please begin.',
        '--python',
        '--strict',
        '--approve',
        'all',
      ]);
      expect({ code, stderr }).toMatchObject({ code: 0 });
      for (const promise of promises) expect(stdout).toMatch(promise);
    });
  }
});

const withServers = Object.keys(examples).filter((name) => readdirSync(`examples/${name}`).includes('servers'));

describe('an example whose server is gone says so', () => {
  test('there are examples with servers', () => {
    expect(withServers).toEqual(expect.arrayContaining(['city-times', 'one-card', 'pmo', 'tool-kinds']));
  });

  for (const name of withServers.filter((each) => Object.hasOwn(examples, each))) {
    test(`${name} without its folder servers/`, async () => {
      const copy = await mkdtemp(path.join(tmpdir(), 'callboard-example-'));
      await cp(`examples/${name}`, copy, { recursive: true });
      await rm(path.join(copy, 'servers'), { recursive: true });
      const { code, stderr } = await callCallboard(['run', copy, '--message', 'Please begin.', '--strict']);
      expect(code).toBe(1);
      expect(stderr).toMatch(/^Run completed, 1 server did not start\.$/m);
      expect(stderr).toMatch(/^warning: Server '\w+' did not start: .*Error: Cannot find module '.*\.mjs'$/m);
      await rm(copy, { recursive: true, force: true });
    });
  }
});
