import { expect, test } from 'vitest';
import { emptyTrace } from '@/lib/trace/empty-trace';
import type { LogMark } from '@/lib/trace/trace';
import { lostSessions, sessionProblems } from './lost-sessions';

const mark = (code: string, message: string): LogMark => ({
  seq: 1,
  at: 0,
  level: 'warning',
  code,
  message,
  lane: undefined,
  span: undefined,
  wait: undefined,
  serverName: undefined,
});

test('sessions that were not saved are found among the log of a run', () => {
  const logs = [mark('model_retry', 'again'), mark('session_conflict', 'busy'), mark('session_not_saved', 'full')];
  expect(lostSessions({ logs, lanes: emptyTrace().lanes })).toEqual([
    { agentName: '', message: 'busy' },
    { agentName: '', message: 'full' },
  ]);
});

test('they are problems of the cards that kept them, as long as those are there', () => {
  const lost = [
    { agentName: 'expert', message: 'The session is not saved: full' },
    { agentName: 'gone', message: 'x' },
  ];
  expect(sessionProblems(lost, [{ name: 'expert', file: 'agent-cards/expert.md' }])).toEqual([
    {
      code: 'session-not-saved',
      severity: 'warning',
      stage: 'callboard',
      file: 'agent-cards/expert.md',
      line: 1,
      column: 1,
      agent: 'expert',
      message: 'In the last run: The session is not saved: full',
    },
  ]);
});
