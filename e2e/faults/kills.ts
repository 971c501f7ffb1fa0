import { setTimeout as sleep } from 'node:timers/promises';
import type { SeededRandom } from '@/lib/testing/seeded-random';
import type { FaultApp, Part } from './app';
import { readHealth } from './app';
import { damageDataFolder } from './damage';
import { until } from './until';

type Fault = { readonly part: Part; readonly signal: NodeJS.Signals } | 'launcher';

/** The faults of each wave. SIGINT makes Postgres restart normally; every other fault kills immediately. */
const faults: readonly Fault[] = [
  { part: 'worker', signal: 'SIGKILL' },
  { part: 'web', signal: 'SIGKILL' },
  { part: 'database', signal: 'SIGKILL' },
  'launcher',
  { part: 'worker', signal: 'SIGKILL' },
  { part: 'database', signal: 'SIGINT' },
  { part: 'worker', signal: 'SIGKILL' },
];

/**
 * Breaks one part after the other, in a random order and at random moments. It waits until every run has made progress
 * before the next fault, because a run that loses three workers in a row at the same place is rightly given up. A launcher
 * that was killed finds damaged files when it starts again. `topUp` starts runs so that there are enough. `markProgress`
 * returns a function that names the runs without progress since.
 */
export async function breakParts(
  app: FaultApp,
  random: SeededRandom,
  topUp: () => Promise<void>,
  markProgress: () => () => readonly string[],
): Promise<void> {
  for (const fault of shuffled(faults, random)) {
    await topUp();
    const standing = markProgress();
    const note = fault === 'launcher' ? await breakLauncher(app, random) : breakPart(app, fault, random);
    console.log(`  ${note}`);
    await until(`health is ok after: ${note}`, 60_000, async () => (await readHealth(app.url))?.status === 'ok');
    await until('every run got further', 120_000, async () => standing().length === 0);
    await sleep(random.below(800));
  }
}

function shuffled<T>(list: readonly T[], random: SeededRandom): readonly T[] {
  const rest = [...list];
  return list.flatMap(() => rest.splice(random.below(rest.length), 1));
}

function breakPart(app: FaultApp, { part, signal }: Exclude<Fault, 'launcher'>, random: SeededRandom): string {
  return app.signal(part, signal, (pids) => random.pick(pids)) ? `${signal} to ${part}` : `${part} did not run`;
}

async function breakLauncher(app: FaultApp, random: SeededRandom): Promise<string> {
  await app.killLauncher();
  const damage = await damageDataFolder(app.dataFolder, random);
  await app.start();
  return `SIGKILL to launcher, then ${damage}`;
}
