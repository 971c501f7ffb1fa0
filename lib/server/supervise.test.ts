import { type ChildProcess, spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { supervise } from './supervise';

const run = (code: string) => spawn(process.execPath, ['-e', code], { stdio: 'ignore' });
const forEver = 'setInterval(() => {}, 1000)';

function gate<T>(): { readonly opened: Promise<T>; open(value: T): void } {
  let open: (value: T) => void = () => undefined;
  const opened = new Promise<T>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

const ended = (child: ChildProcess) => new Promise((resolve) => child.once('exit', resolve));

test('a process that is killed is started again', async () => {
  const started: ChildProcess[] = [];
  const again = gate<void>();
  const reasons: string[] = [];
  const supervised = await supervise({
    start() {
      const child = run(forEver);
      started.push(child);
      if (started.length === 2) again.open();
      return child;
    },
    onDeath: (reason) => reasons.push(reason),
    firstDelayMs: 1,
  });
  started[0]?.kill('SIGKILL');
  await again.opened;
  expect(reasons).toEqual(['SIGKILL']);
  await supervised.stop('SIGTERM', 5_000);
  expect(started[1]?.signalCode).toBe('SIGTERM');
  expect(started.length).toBe(2);
});

test('a start that fails is tried again', async () => {
  let tries = 0;
  const third = gate<ChildProcess>();
  const supervised = await supervise({
    start() {
      tries += 1;
      if (tries === 2) throw new Error('not yet');
      const child = run(tries === 1 ? 'process.exit(3)' : forEver);
      if (tries === 3) third.open(child);
      return child;
    },
    onDeath: () => undefined,
    firstDelayMs: 1,
  });
  const child = await third.opened;
  await supervised.stop('SIGTERM', 5_000);
  expect(child.signalCode).toBe('SIGTERM');
});

test('what does not end when asked is ended', async () => {
  const child = spawn(process.execPath, ['-e', `process.on('SIGTERM', () => {}); console.log('up'); ${forEver}`]);
  await new Promise((resolve) => child.stdout.once('data', resolve));
  const supervised = await supervise({ start: () => child, onDeath: () => undefined });
  const gone = ended(child);
  await supervised.stop('SIGTERM', 50);
  await gone;
  expect(child.signalCode).toBe('SIGKILL');
});

test('a process that is replaced is started again at once, and nobody is told of a death', async () => {
  const started: ChildProcess[] = [];
  const second = gate<void>();
  const reasons: string[] = [];
  const supervised = await supervise({
    start() {
      const child = run(forEver);
      started.push(child);
      if (started.length === 2) second.open();
      return child;
    },
    onDeath: (reason) => reasons.push(reason),
    firstDelayMs: 1_000_000,
  });
  supervised.restart('SIGTERM', 5_000);
  supervised.restart('SIGTERM', 5_000);
  await second.opened;
  expect(started[0]?.signalCode).toBe('SIGTERM');
  await supervised.stop('SIGTERM', 5_000);
  expect(started.length).toBe(2);
  expect(reasons).toEqual([]);
});

test('one that died of its start does not wait when it is replaced', async () => {
  const told = gate<string>();
  const second = gate<void>();
  let tries = 0;
  const supervised = await supervise({
    start() {
      tries += 1;
      if (tries === 2) second.open();
      return run(tries === 1 ? 'process.exit(3)' : forEver);
    },
    onDeath: told.open,
    firstDelayMs: 1_000_000,
  });
  expect(await told.opened).toBe('exit code 3');
  supervised.restart('SIGTERM', 5_000);
  await second.opened;
  await supervised.stop('SIGTERM', 5_000);
});
