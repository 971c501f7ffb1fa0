import { setTimeout as sleep } from 'node:timers/promises';
import type { SeededRandom } from '@/lib/testing/seeded-random';
import type { FaultApp, Part } from './app';
import { readHealth } from './app';
import type { CallBook } from './call-book';
import { damageDataFolder } from './damage';
import { until } from './until';

type Fault = { readonly part: Part; readonly signal: NodeJS.Signals } | 'launcher';

/** What happens in each wave. SIGINT makes Postgres restart in good order; everything else dies at once. */
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
 * Breaks one part after the other, in a random order and at random moments, but only while runs make progress: a run that
 * loses three workers in a row is given up, and rightly. A launcher that was killed finds damaged files when it starts again.
 * `topUp` sees to it that enough runs are under way.
 */
export async function breakParts(
  app: FaultApp,
  book: CallBook,
  random: SeededRandom,
  topUp: () => Promise<void>,
): Promise<void> {
  for (const fault of shuffled(faults, random)) {
    await topUp();
    const note = fault === 'launcher' ? await breakLauncher(app, random) : breakPart(app, fault, random);
    console.log(`  ${note}`);
    await until(`health is ok after: ${note}`, 60_000, async () => (await readHealth(app.url))?.status === 'ok');
    const before = book.count();
    await until('the model is asked again', 60_000, async () => book.count() >= before + 15);
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
