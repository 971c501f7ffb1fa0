import { expect, test } from 'vitest';
import { defaultLimits } from '@/lib/sandbox/host/limits';
import { openJsSandbox } from './js-sandbox';

const noPrograms = { filesOf: () => new Map(), placeOf: () => undefined };

test('a stopped thread ends, before it has started and after', async () => {
  const exits: string[] = [];
  const open = () =>
    new Promise<ReturnType<typeof openJsSandbox>>((resolve) => {
      const sandbox = openJsSandbox(
        { message: ({ type }) => type === 'ready' && resolve(sandbox), exit: (reason) => exits.push(reason) },
        noPrograms,
        defaultLimits,
      );
    });
  const running = await open();
  expect(exits).toEqual([]);
  running.stop();
  await expect.poll(() => exits).toEqual(['it was stopped.']);

  const early = openJsSandbox({ message: () => {}, exit: (reason) => exits.push(reason) }, noPrograms, defaultLimits);
  early.stop();
  await expect.poll(() => exits).toEqual(['it was stopped.', 'it was stopped.']);
});
