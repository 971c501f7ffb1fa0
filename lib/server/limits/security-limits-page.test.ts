import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readEnv } from '@/lib/server/settings/env';
import { constantOf } from '@/lib/testing/constant-of';

/* The numbers in docs/security-limits.md and in the code are equal. In a row, `#` stands for the number, in the unit of the page. */

const page = readFileSync('docs/security-limits.md', 'utf8');
const [KiB, MiB, seconds, minutes] = [1024, 1024 ** 2, 1_000, 60_000];

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
  ['event or a body | # MiB', 'lib/tools/mcp/message-limits.ts', 'maxMessageBytes', MiB],
  ['event or a body | 32 MiB, # values', 'lib/tools/mcp/message-limits.ts', 'maxValues', 1],
  ['event or a body | 32 MiB, 500,000 values, # levels', 'lib/tools/mcp/message-limits.ts', 'maxDepth', 1],
  ['one event; one response | # Mi characters', 'lib/tools/a2a/remote-agents.ts', 'largestAnswer', MiB],
  ['one response | 8 Mi characters; # MiB', 'lib/tools/a2a/agent-fetch.ts', 'maxLineBytes', MiB],
  ['8 Mi characters; 4 MiB; # MiB', 'lib/tools/mcp/message-limits.ts', 'maxMessageBytes', MiB],
  ['sentences of a remote task | # |', 'lib/tools/a2a/remote-answer.ts', 'maxNotes', 1],
  ['resources of a server | #, in', 'lib/tools/mcp/list-all.ts', 'maxItems', 1],
  ['resources of a server | 10,000, in # Mi characters', 'lib/tools/mcp/list-all.ts', 'maxChars', MiB],
  ['grows up to # minutes', 'lib/tools/mcp/start-failures.ts', 'longestLateHoldMs', minutes],
  ['waits for it more than # s', 'lib/tools/mcp/start-failures.ts', 'graceMs', seconds],
  ['a command does not read | # MiB', 'lib/tools/mcp/stdio-transport.ts', 'maxUnreadBytes', MiB],
  ['progress of a call | # and', 'lib/tools/mcp/server-log.ts', 'linesPerSecond', 1],
  ['| result of code in a graph | # characters', 'lib/sandbox/host/limits.ts', 'resultLength', 1],
  ['log lines of code in a graph | # a call', 'lib/sandbox/host/limits.ts', 'logLines', 1],
  ['a call, # characters each', 'lib/sandbox/host/limits.ts', 'logLineLength', 1],
  ['output of a shell command | # KiB', 'lib/tools/shell/shell.ts', 'outputBytes', KiB],
  ['a text of `{{url:…}}` | # KiB', 'lib/tools/urls/text-reader.ts', 'maxBytes', KiB],
  ['a text of `{{url:…}}` | 256 KiB, # s', 'lib/tools/urls/text-reader.ts', 'timeoutMs', seconds],
  ['open at once | #; 20', 'lib/server/limits/open-streams.ts', 'most', 1],
  ['open at once | 500; # for each', 'lib/server/limits/open-streams.ts', 'mostEach', 1],
  ['the last # to', 'lib/trace/live-texts.ts', 'keptUnits', 1],
  ['spans that wait for a collector | # in', 'lib/jobs/span-exporter.ts', 'mostWaiting', 1],
  ['# KiB for the form of the access token', 'app/sign-in/route.ts', 'longestForm', KiB],
  ['need no sign-in | # KiB', 'app/api/v1/logins/route.ts', 'longestBody', KiB],
  ['need no sign-in | # KiB', 'app/api/v1/logins/token/route.ts', 'longestBody', KiB],
  ['a body of the HTTP API | # MiB', 'app/api/read-body.ts', 'maxBodyBytes', MiB],
  ['for a webhook), # values of JSON', 'app/api/read-body.ts', 'mostValues', 1],
  ['# MiB for a webhook', 'lib/base/triggers.ts', 'largestHookBytes', MiB],
  ['rest of a refused body | # KiB', 'lib/server/front/unread-bodies.ts', 'longestRest', KiB],
  ['connection ends after # seconds', 'lib/server/front/unread-bodies.ts', 'graceMs', seconds],
  ['sent without a sign-in | # KiB', 'lib/server/front/page-bodies.ts', 'longestForm', KiB],
  ['events from the database | # MiB', 'lib/store/events.ts', 'pageBytes', MiB],
  ['on which nothing moves | # minutes', 'lib/server/front/web-front.ts', 'idleMs', minutes],
  ['its headers; all of it | # s', 'lib/server/front/web-front.ts', 'headersMs', seconds],
  ['its headers; all of it | 60 s; # s', 'lib/server/front/web-front.ts', 'requestMs', seconds],
  ['An unused copy is kept for # minutes', 'lib/jobs/work-folders.ts', 'keepUnusedMs', minutes],
  ['at most # unused copies', 'lib/jobs/work-folders.ts', 'maxUnused', 1],
  ['50 unused copies with # MiB', 'lib/jobs/work-folders.ts', 'maxUnusedBytes', MiB],
  ['and # MB of memory; then', 'lib/server/reading/folder-reader.ts', 'megabytes', 1],
  ['# may wait, 50 of one person', 'lib/server/reading/folder-reader.ts', 'maxWaiting', 1],
  ['500 may wait, # of one person', 'lib/server/reading/folder-reader.ts', 'maxOfOwner', 1],
  ['upload has # MiB at most', 'lib/server/folders/folder-limits.ts', 'fileBytes', MiB],
  ['would exceed # MiB with it', 'lib/server/folders/folder-limits.ts', 'totalBytes', MiB],
  ['more than # MiB would wait', 'lib/server/folders/folder-limits.ts', 'waitingBytes', MiB],
  ['deleted project are removed within # seconds', 'lib/jobs/worker.ts', 'sweepMs', seconds],
];

test.each(rows)('"%s" is what %s has as %s', (words, file, name, unit) => {
  const number = (constantOf(file, name) / unit).toLocaleString('en-US');
  expect(page).toContain(words.replace('#', number));
});

test('working copies are swept as often as the page says', () => {
  expect(readFileSync('lib/jobs/worker.ts', 'utf8')).toContain('repeat(signal, log, sweepMs, () => folders.sweep())');
});

test('the settings without which the page says a number have that number', () => {
  const { readingSeconds, watchdogSeconds } = readEnv({});
  expect(page).toContain(`${readingSeconds} seconds (\`CALLBOARD_READING_SECONDS\`)`);
  expect(page).toContain(`After ${watchdogSeconds} seconds (\`CALLBOARD_WATCHDOG_SECONDS\`)`);
});

test('a server has as long to start as the page says', () => {
  expect(page).toContain('| 30 s (command) or 10 s (address) once |');
  expect(readFileSync('lib/tools/mcp/pool.ts', 'utf8')).toContain("=== 'stdio' ? 30_000 : 10_000");
});
