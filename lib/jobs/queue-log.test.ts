import { expect, test } from 'vitest';
import { queueLogger } from './queue-log';

function logged(write: (log: ReturnType<typeof queueLogger>) => void): unknown[] {
  const lines: unknown[] = [];
  const at = (level: string) => (about: object, text: string) => lines.push([level, about, text]);
  write(queueLogger({ warn: at('warn'), error: at('error') } as never));
  return lines;
}

test('an error of DBOS is logged with its cause and the run it names', () => {
  const id = '0b6f3a52-8d5e-4f0c-9d0e-0123456789ab';
  const cause = new Error('disk full');
  expect(
    logged((log) => {
      log.error('disk full', { error: cause });
      log.error(cause);
      log.warn(`Could not execute workflow with id ${id}: no`);
      log.error({ odd: 1 });
    }),
  ).toEqual([
    ['error', { run_id: undefined, err: cause }, 'the queue reports: disk full'],
    ['error', { run_id: undefined, err: cause }, 'the queue reports: disk full'],
    ['warn', { run_id: id, err: undefined }, `the queue reports: Could not execute workflow with id ${id}: no`],
    ['error', { run_id: undefined, err: undefined }, 'the queue reports: {"odd":1}'],
  ]);
});

test('what DBOS says of every turn is left out', () => {
  expect(
    logged((log) => {
      log.info('DBOS launched');
      log.debug('Recovering');
    }),
  ).toEqual([]);
});
