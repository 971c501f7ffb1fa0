import { expect, test } from 'vitest';
import { emptyTrace } from '@/lib/trace/empty-trace';
import { createOverlayStore } from './run-overlay';
import { createRunSession, runStart } from './run-session';
import type { RunInput } from './services';

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

test('another run is shown in place of the last one, until a new one is started', async () => {
  const overlay = createOverlayStore();
  const services = { startRun: async () => ({ ok: true, runId: 'r2' }) as const, stopRun: async () => undefined };
  const { store, actions } = createRunSession(services, overlay, async () => true, { message: 'go', runId: 'r1' });
  actions.watch('r1', emptyTrace(), 'failed');
  actions.showRun('r0');
  expect(store.getState()).toMatchObject({ runId: 'r0', phase: 'started', message: 'go' });
  expect(overlay.getState()).toMatchObject({ runId: 'r0', status: undefined });
  await actions.start();
  expect(store.getState().runId).toBe('r2');
});

test('with "keep talking" the next run continues the conversation of the first, once that has ended', async () => {
  const inputs: RunInput[] = [];
  const overlay = createOverlayStore();
  const services = {
    startRun: async (input: RunInput) => {
      inputs.push(input);
      return { ok: true, runId: `r${inputs.length}`, conversationId: 'c1' } as const;
    },
    stopRun: async () => undefined,
  };
  const { store, actions } = createRunSession(services, overlay, async () => true);
  const say = async (message: string) => {
    actions.set({ message });
    await actions.start();
  };
  actions.keepTalking(true);
  await say('one');
  expect(store.getState()).toMatchObject({ conversation: 'c1', message: '', runId: 'r1' });
  actions.watch('r1', emptyTrace(), 'running');
  await say('too early');
  expect(store.getState()).toMatchObject({ message: 'too early', runId: 'r1' });
  actions.watch('r1', emptyTrace(), 'completed');
  await say('two');
  actions.watch('r2', emptyTrace(), 'completed');
  actions.beginAnew();
  await say('three');
  actions.watch('r3', emptyTrace(), 'completed');
  actions.keepTalking(false);
  await say('four');
  expect(inputs.map(({ message, conversationId }) => `${message}: ${conversationId}`)).toEqual([
    'one: new',
    'two: c1',
    'three: new',
    'four: undefined',
  ]);
  expect(store.getState()).toMatchObject({ conversation: undefined, message: 'four' });
});

const project = { entry: 'lead', agents: ['lead', 'writer'], example: 'Daily report, please.' };

test('before the first run the dock offers the example of the project, then the last message', () => {
  expect(runStart(project, undefined, undefined).message).toBe('Daily report, please.');
  const last = { id: 'r1', message: 'Weekly report' };
  expect(runStart(project, undefined, last)).toMatchObject({ message: 'Weekly report', runId: 'r1' });
  expect(runStart({ ...project, example: undefined }, undefined, undefined).message).toBe('');
});

test('a run that is to be run again fills the form with what it was asked', () => {
  const last = { id: 'r2', message: 'Later' };
  const again = { id: 'r1', agent: 'writer', message: 'Write', model: 'playback' };
  expect(runStart(project, again, last)).toEqual({
    agent: 'writer',
    message: 'Write',
    model: 'playback',
    runId: 'r2',
    againOf: 'r1',
  });
  expect(runStart(project, { ...again, agent: 'lead' }, last).agent).toBeUndefined();
  expect(runStart(project, { ...again, agent: 'gone' }, last).agent).toBeUndefined();
});

test('a project opened while it runs shows that run, which can be stopped', async () => {
  const asked: string[] = [];
  const services = {
    startRun: async () => ({ ok: true, runId: 'r2' }) as const,
    stopRun: async (runId: string) => {
      asked.push(runId);
      return undefined;
    },
  };
  const { store, actions } = createRunSession(services, createOverlayStore(), async () => true, { runId: 'r1' });
  expect(store.getState()).toMatchObject({ runId: 'r1', phase: 'started' });
  actions.watch('r1', emptyTrace(), 'running');
  await actions.stop();
  expect(asked).toEqual(['r1']);
});

test('only the first run after Run again is linked to the run that it repeats', async () => {
  const started: RunInput[] = [];
  const services = {
    startRun: async (input: RunInput) => {
      started.push(input);
      return { ok: true, runId: `n${started.length}` } as const;
    },
    stopRun: async () => undefined,
  };
  const { actions } = createRunSession(services, createOverlayStore(), async () => true, {
    message: 'go',
    againOf: 'r1',
  });
  await actions.start();
  await actions.start();
  expect(started.map(({ again }) => again)).toEqual([{ kind: 'again', run: 'r1' }, undefined]);
});

test('what is left out goes with each start, and with "again" an empty list says that nothing is', async () => {
  const started: RunInput[] = [];
  const services = {
    startRun: async (input: RunInput) => {
      started.push(input);
      return { ok: true, runId: `n${started.length}` } as const;
    },
    stopRun: async () => undefined,
  };
  const kid = { kind: 'agent', name: 'kid' } as const;
  const again = { id: 'r1', agent: undefined, message: 'go', model: undefined, leftOut: [kid] };
  const opened = runStart(project, again, undefined);
  const { store, actions } = createRunSession(services, createOverlayStore(), async () => true, opened);
  expect(store.getState().leftOut).toEqual([kid]);
  actions.toggleLeftOut(kid);
  await actions.start();
  actions.toggleLeftOut(kid);
  await actions.start();
  actions.set({ leftOut: [] });
  await actions.start();
  expect(started.map(({ leftOut }) => leftOut)).toEqual([[], [kid], undefined]);
});
