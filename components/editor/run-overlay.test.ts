import { expect, test } from 'vitest';
import { foldOverlay, startOverlay } from './run-overlay';

const queued = (seq: number, path: string, agentName: string) => ({ seq, kind: 'instance.queued', path, agentName });
const started = (seq: number, path: string) => ({ seq, kind: 'instance.started', path });
const ended = (seq: number, path: string, status = 'completed') => ({ seq, kind: 'instance.ended', path, status });

test('counts live, queued, done and failed instances per agent', () => {
  const overlay = foldOverlay(startOverlay('r'), [
    queued(1, 'lead', 'lead'),
    started(2, 'lead'),
    queued(3, 'lead/kid[1]', 'kid'),
    queued(4, 'lead/kid[2]', 'kid'),
    queued(5, 'lead/kid[3]', 'kid'),
    started(6, 'lead/kid[1]'),
    started(7, 'lead/kid[2]'),
    ended(8, 'lead/kid[2]', 'timeout'),
  ]);
  expect(Object.fromEntries(overlay.agents)).toEqual({
    lead: { live: 1, queued: 0, done: 0, failed: 0 },
    kid: { live: 1, queued: 1, done: 0, failed: 1 },
  });
  expect(overlay.status).toBe('running');
});

test('events seen twice change nothing, and the end of the run is told', () => {
  const first = foldOverlay(startOverlay('r'), [queued(1, 'lead', 'lead'), started(2, 'lead')]);
  expect(foldOverlay(first, [started(2, 'lead')])).toBe(first);
  const last = foldOverlay(first, [ended(3, 'lead'), { seq: 4, kind: 'run.finished', status: 'completed' }]);
  expect(last.status).toBe('completed');
  expect(last.agents.get('lead')).toEqual({ live: 0, queued: 0, done: 1, failed: 0 });
});
