import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parseJson } from '@/lib/base/json';

const run = promisify(execFile);

/** What each example answers, as its README promises. Offline: by script, with real tools and servers. */
const examples: Record<string, readonly RegExp[]> = {
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
  'hooks-typescript': [
    /4\n\[seen by assistant\]/,
    /11\n\[seen/,
    /Spent 20 € from \[account\]/,
    /Refused: more than 100 €/,
  ],
  'hooks-python': [/4\n\[audit\]/, /11\n\[audit\]/, /The bridge project is on time\.\n\[audit\]/],
};

test('expert-session: the second call goes on with the first one’s conversation, the third begins another', async () => {
  const args = ['bin/callboard.mjs', 'run', 'examples/expert-session', '--message', 'Please begin.', '--json'];
  const { stdout } = await run(process.execPath, args, { timeout: 60_000 });
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

describe('every example runs offline from the command line', () => {
  for (const [name, promises] of Object.entries(examples)) {
    test(name, async () => {
      const args = ['bin/callboard.mjs', 'run', `examples/${name}`, '--message', 'Please begin.', '--python'];
      const { stdout } = await run(process.execPath, args, { timeout: 60_000 });
      for (const promise of promises) expect(stdout).toMatch(promise);
    });

    test(`${name} passes the checker`, async () => {
      const { stdout } = await run(process.execPath, ['bin/callboard.mjs', 'check', `examples/${name}`, '--json']);
      const report = parseJson(stdout);
      expect(report).toMatchObject({
        issues: expect.not.arrayContaining([expect.objectContaining({ severity: 'error' })]),
      });
    });
  }
});
