import { expect, test } from 'vitest';
import { createOverlayStore } from '@/components/editor/run-overlay';
import { emptyTrace } from '@/lib/trace/fold';
import { createRunSession } from './run-session';

async function started(answer: string | undefined = undefined) {
  const asked: string[] = [];
  const overlay = createOverlayStore();
  const services = {
    startRun: async () => ({ ok: true, runId: 'r1' }) as const,
    stopRun: async (runId: string) => {
      asked.push(runId);
      return answer;
    },
  };
  const { store, actions } = createRunSession(services, overlay, async () => true);
  actions.set({ message: 'go' });
  await actions.start();
  actions.watch('r1', emptyTrace(), 'running');
  return { store, actions, asked, phase: () => store.getState().phase };
}

test('a run that was asked to stop is stopping until it has ended', async () => {
  const { actions, asked, phase } = await started();
  const asking = actions.stop();
  expect(phase()).toBe('stopping');
  await asking;
  expect(phase()).toBe('stopping');
  await actions.stop();
  expect(asked).toEqual(['r1']);
  actions.watch('r1', emptyTrace(), 'running');
  expect(phase()).toBe('stopping');
  actions.watch('r1', emptyTrace(), 'cancelled');
  expect(phase()).toBe('started');
});

test('a run that could not be asked to stop can be asked again', async () => {
  const { store, actions, phase } = await started('Callboard does not answer.');
  await actions.stop();
  expect(phase()).toBe('started');
  expect(store.getState().error).toBe('Callboard does not answer.');
});

test('a new run is not held up by one that is still stopping', async () => {
  const { actions, phase } = await started();
  await actions.stop();
  await actions.start();
  expect(phase()).toBe('started');
});
