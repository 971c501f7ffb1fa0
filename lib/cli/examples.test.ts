import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parseJson } from '@/lib/base/json';

const run = promisify(execFile);

/** What each example answers, as its README promises. Offline: by script, with real tools and servers. */
const examples: Record<string, readonly RegExp[]> = {
  pmo: [/New York · Anthropic: .*office (open|closed)/, /London · economics/],
  coordinator: [/Lisbon on Tuesday: sunny, 24 °C/, /The earliest is Tuesday afternoon/],
  'tool-kinds': [/No chairs are left\. Reserved 2 × lamp\./, /In Tokyo it is .*\d\d:\d\d/],
  'data-processor': [/"operation":\s*"filter"/, /18,\s*42/],
  'expert-session': [/This is a new conversation/],
  workers: [/Summary: The meeting settled on Friday\./, /Review: The loop never ends\./, /Archive: Error: .*archivist/],
  'hooks-typescript': [
    /4\n\[seen by assistant\]/,
    /11\n\[seen/,
    /Spent 20 € from \[account\]/,
    /Refused: more than 100 €/,
  ],
  'hooks-python': [/4\n\[audit\]/, /11\n\[audit\]/, /The bridge project is on time\.\n\[audit\]/],
};

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
