import { expect, test } from 'vitest';
import type { LogBody } from '@/lib/runtime/ports';
import { fakeClock } from '@/lib/testing/fake-clock';
import { createProgressLog } from './progress-log';
import { createServerLog } from './server-log';

test('of 1,000 lines of a server in a second 50 are logged, and the rest is counted', async () => {
  const clock = fakeClock(10_000);
  const logs: LogBody[] = [];
  const log = createServerLog({ serverName: 's', secrets: () => [], clock, emit: (body) => logs.push(body) });
  for (let line = 1; line <= 1_000; line += 1) log.write('info', 'server_stderr', `line ${line}`);
  expect(logs.map(({ message }) => message)).toEqual(Array.from({ length: 50 }, (_, index) => `line ${index + 1}`));
  await clock.advance(1_000);
  log.write('info', 'server_stderr', 'later');
  expect(logs.slice(50)).toMatchObject([
    { code: 'server_log_dropped', message: '950 lines were left out.' },
    { message: 'later' },
  ]);
});

test('of 1,000 notes of progress in a second 5 are logged, and the last at the end', async () => {
  const clock = fakeClock(10_000);
  const logs: LogBody[] = [];
  const progress = createProgressLog({
    ...{ serverName: 's', clock, redact: (text: string) => text },
    log: (body) => logs.push(body),
  });
  for (let note = 1; note <= 1_000; note += 1) {
    progress.note({ progress: note });
    await clock.advance(1);
  }
  expect(logs.map(({ message }) => message)).toEqual(['1', '201', '401', '601', '801']);
  progress.end();
  expect(logs.at(-1)?.message).toBe('1000');
});
