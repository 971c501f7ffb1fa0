import { expect, test } from 'vitest';
import type { ProjectTrust } from '@/lib/client/project-trust';
import { createOverlayStore } from './run-overlay';
import { createRunSession } from './run-session';
import { createTrustSession, type TrustAnswer } from './trust-session';

const list = (hash: string, state: ProjectTrust['state'] = 'unconfirmed'): ProjectTrust => ({
  state,
  hash,
  items: [],
  models: [],
  commands: [],
  mayApprove: false,
});

/** A server whose present list has the given hash. */
function serverWith(present: string) {
  const server = {
    present,
    confirmed: [] as string[],
    async readTrust(): Promise<TrustAnswer> {
      return {
        ok: true,
        trust: list(server.present, server.confirmed.includes(server.present) ? 'confirmed' : 'unconfirmed'),
      };
    },
    async askCommands(): Promise<TrustAnswer> {
      return await server.readTrust();
    },
    async confirmTrust(hash: string): Promise<TrustAnswer> {
      if (hash !== server.present) return { ok: false, message: 'It has changed.' };
      server.confirmed.push(hash);
      return await server.readTrust();
    },
  };
  return server;
}

test('whoever asks waits until the list is confirmed', async () => {
  const server = serverWith('one');
  const { store, actions } = createTrustSession(server, 'unconfirmed');
  const answer = actions.ask();
  await expect.poll(() => store.getState().trust?.hash).toBe('one');
  expect(store.getState().open).toBe('run');
  await actions.confirm();
  expect(await answer).toBe(true);
  expect(store.getState()).toMatchObject({ open: undefined, state: 'confirmed' });
  expect(server.confirmed).toEqual(['one']);
});

test('looking only confirms nothing', async () => {
  const server = serverWith('one');
  const { store, actions } = createTrustSession(server, 'unconfirmed');
  const answer = actions.ask();
  actions.lookOnly();
  expect(await answer).toBe(false);
  expect(store.getState()).toMatchObject({ open: undefined, state: 'unconfirmed' });
  expect(server.confirmed).toEqual([]);
});

test('a list that changed while it was read is shown again and not confirmed', async () => {
  const server = serverWith('one');
  const { store, actions } = createTrustSession(server, 'unconfirmed');
  const answer = actions.ask();
  await expect.poll(() => store.getState().trust?.hash).toBe('one');
  server.present = 'two';
  await actions.confirm();
  expect(store.getState()).toMatchObject({ open: 'run', trust: { hash: 'two' }, error: 'It has changed.' });
  expect(server.confirmed).toEqual([]);
  await actions.confirm();
  expect(await answer).toBe(true);
  expect(server.confirmed).toEqual(['two']);
});

test('the server is asked nothing about a folder that is the own', async () => {
  let asked = 0;
  const server = serverWith('one');
  const counted = {
    ...server,
    async readTrust() {
      asked += 1;
      return await server.readTrust();
    },
  };
  const { actions } = createTrustSession(counted, 'own');
  await actions.refresh();
  expect(asked).toBe(0);
  await actions.review();
  expect(asked).toBe(1);
});

test('a save that starts something else shows at once that runs wait', async () => {
  const server = serverWith('one');
  server.confirmed.push('one');
  const { store, actions } = createTrustSession(server, 'confirmed');
  server.present = 'two';
  await actions.refresh();
  expect(store.getState().state).toBe('unconfirmed');
});

test('a run that is not trusted starts once it is confirmed, and never when it is not', async () => {
  const started: string[] = [];
  let trusted = false;
  const services = {
    async startRun({ message }: { readonly message: string }) {
      if (!trusted) return { ok: false as const, message: 'No.', notTrusted: true };
      started.push(message);
      return { ok: true as const, runId: 'r1' };
    },
    stopRun: async () => undefined,
  };
  const answers = [false, true];
  const askTrust = async () => {
    trusted = answers.shift() ?? false;
    return trusted;
  };
  const run = createRunSession(services, createOverlayStore(), async () => true, { message: 'Go' }, askTrust);
  await run.actions.start();
  expect(run.store.getState()).toMatchObject({ phase: 'idle', error: undefined, runId: undefined });
  expect(started).toEqual([]);
  await run.actions.start();
  expect(run.store.getState()).toMatchObject({ phase: 'started', runId: 'r1' });
  expect(started).toEqual(['Go']);
});

test('a person who may not approve asks and waits; an administrator approves the list that was seen, and it runs', async () => {
  const command = {
    id: 'c',
    kind: 'stdio',
    name: 'time',
    command: 'node',
    args: [],
    environment: [],
    usedBy: [],
  } as const;
  const asked: (readonly string[] | undefined)[] = [];
  const session = (mayApprove: boolean) => {
    let status: 'new' | 'asked' | 'approved' = 'new';
    const trust = (): TrustAnswer => ({
      ok: true,
      trust: { ...list('one', 'own'), mayApprove, commands: [{ ...command, status, note: '', warnings: [] }] },
    });
    const readTrust = async () => trust();
    const askCommands = async (approve: readonly string[] | undefined) => {
      asked.push(approve);
      status = approve === undefined ? 'asked' : 'approved';
      return trust();
    };
    return createTrustSession({ readTrust, confirmTrust: readTrust, askCommands }, 'own');
  };
  const runner = session(false);
  const waits = runner.actions.ask();
  await expect.poll(() => runner.store.getState().trust).toBeDefined();
  await runner.actions.confirm();
  expect(runner.store.getState()).toMatchObject({ open: 'run', trust: { commands: [{ status: 'asked' }] } });
  runner.actions.lookOnly();
  expect(await waits).toBe(false);

  const administrator = session(true);
  const answer = administrator.actions.ask();
  await expect.poll(() => administrator.store.getState().trust).toBeDefined();
  await administrator.actions.confirm();
  expect(await answer).toBe(true);
  expect(asked).toEqual([undefined, ['c']]);
});
