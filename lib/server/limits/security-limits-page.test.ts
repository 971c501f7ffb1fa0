import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/* The numbers in docs/security-limits.md and in the code are equal. In a row, `#` stands for the number, in the unit of the page. */

const page = readFileSync('docs/security-limits.md', 'utf8');
const [KiB, MiB, seconds, minutes] = [1024, 1024 ** 2, 1_000, 60_000];
const named: Readonly<Record<string, number>> = { KiB, MiB, mebibyte: MiB };

/** The value of `name = 32 * mebibyte` or of `name: 64 * 1024` in a file. */
function constantOf(file: string, name: string): number {
  const source = readFileSync(file, 'utf8');
  const [, text] =
    new RegExp(`^\\s*(?:(?:export )?const )?.*\\b${name}(?: =|:) ([\\d(][^,;}\\n]*)`, 'm').exec(source) ?? [];
  if (text === undefined) throw new Error(`${file} has no number ${name}`);
  const factors = text.trim().split(' * ');
  return factors.reduce((product, each) => product * (named[each] ?? Number(each.replaceAll('_', ''))), 1);
}

const rows: readonly (readonly [words: string, file: string, name: string, unit: number])[] = [
  ['in a web worker, for at most # seconds', 'lib/editor/try-reading.ts', 'seconds', 1],
  ['| # MB; a code file', 'lib/cards/read/check-bytes.ts', 'maxReadUnits', 1_000_000],
  ['| # brackets, or', 'lib/cards/yaml/yaml-depth.ts', 'maxBrackets', 1],
  ['or # columns of indentation', 'lib/cards/yaml/yaml-depth.ts', 'maxIndent', 1],
  ['| #, and one for each character of the file', 'lib/cards/yaml/yaml-plain.ts', 'freeNodes', 1],
  ['never more than #. A text', 'lib/cards/yaml/yaml-plain.ts', 'maxExpandedNodes', 1],
  ['one more for each # characters', 'lib/cards/yaml/yaml-plain.ts', 'textPerNode', 1],
  ['| issues of one file | #;', 'lib/cards/read/file-report.ts', 'maxIssuesPerFile', 1],
  ['| reported cycles of agents | # |', 'lib/cards/check/check-cycles.ts', 'maxCycles', 1],
  ['| `run_hooks` | # |', 'lib/cards/hook-settings.ts', 'maxRunHooks', 1],
  ['a pattern has at most # characters', 'lib/base/linear-pattern.ts', 'longestPattern', 1],
  ['a pattern has at most # characters', 'lib/base/pattern-problem.ts', 'longestPattern', 1],
  ['characters and # repeats', 'lib/base/pattern-problem.ts', 'mostRepeats', 1],
  ['followed at most #\ntimes', 'lib/base/json-schema.ts', 'maxSteps', 1],
  ['JSON nested more than # levels', 'lib/base/json.ts', 'deepest', 1],
  ['is dropped after # days', 'lib/store/own-blobs.ts', 'keptDays', 1],
  ['one line of it | # MiB', 'lib/models/answer-memory.ts', 'largestAnswer', MiB],
  ['receives at the same time | # MiB', 'lib/models/answer-memory.ts', 'totalBytes', MiB],
  ['| calls in one answer | # |', 'lib/models/chat-message.ts', 'maxCalls', 1],
  ['on the wire for one answer | # MiB', 'lib/models/body-lines.ts', 'maxBodyBytes', MiB],
  ["text of a model's server | # and", 'lib/models/event-reader.ts', 'maxValues', 1],
  ["text of a model's server | 500,000 and # |", 'lib/models/event-reader.ts', 'maxDepth', 1],
  ['a piece of the answer | # minutes', 'lib/models/http-transport.ts', 'idleMs', minutes],
  ['a piece of the answer | # minutes', 'lib/models/event-reader.ts', 'progressMs', minutes],
  ["error page of a model's server | # KiB", 'lib/models/http-transport.ts', 'maxErrorBytes', KiB],
  ["error page of a model's server | 16 KiB, # s", 'lib/models/http-transport.ts', 'maxErrorMs', seconds],
  ['16 KiB; # answers `1xx`', 'lib/models/http-transport.ts', 'maxInformational', 1],
  ['progress of a call | # and', 'lib/tools/mcp/server-log.ts', 'linesPerSecond', 1],
  ['| result of code in a graph | # characters', 'lib/sandbox/host/limits.ts', 'resultLength', 1],
  ['log lines of code in a graph | # a call', 'lib/sandbox/host/limits.ts', 'logLines', 1],
  ['a call, # characters each', 'lib/sandbox/host/limits.ts', 'logLineLength', 1],
  ['output of a shell command | # KiB', 'lib/tools/shell/shell.ts', 'outputBytes', KiB],
  ['spans that wait for a collector | # in', 'lib/jobs/span-exporter.ts', 'mostWaiting', 1],
  ['# KiB for the form of the access token', 'app/sign-in/route.ts', 'longestForm', KiB],
  ['need no sign-in | # KiB', 'app/api/v1/logins/route.ts', 'longestBody', KiB],
  ['need no sign-in | # KiB', 'app/api/v1/logins/token/route.ts', 'longestBody', KiB],
  ['a body of the HTTP API | # MiB', 'app/api/read-body.ts', 'maxBodyBytes', MiB],
  ['for a webhook), # values of JSON', 'app/api/read-body.ts', 'mostValues', 1],
  ['# MiB for a webhook', 'lib/base/triggers.ts', 'largestHookBytes', MiB],
  ['on which nothing moves | # minutes', 'lib/server/front/web-front.ts', 'idleMs', minutes],
  ['deleted project are removed within # seconds', 'lib/jobs/worker.ts', 'sweepMs', seconds],
];

test.each(rows)('"%s" is what %s has as %s', (words, file, name, unit) => {
  const number = (constantOf(file, name) / unit).toLocaleString('en-US');
  expect(page).toContain(words.replace('#', number));
});

test('working copies are swept as often as the page says', () => {
  expect(readFileSync('lib/jobs/worker.ts', 'utf8')).toContain('repeat(signal, log, sweepMs, () => folders.sweep())');
});
