import { setTimeout as sleep } from 'node:timers/promises';
import type { SeededRandom } from '@/lib/testing/seeded-random';
import type { FaultApp, Part } from './app';
import { readHealth } from './app';
import type { CallBook } from './call-book';
import { damageDataFolder } from './damage';
import { until } from './until';

type Fault = { readonly part: Part; readonly signal: NodeJS.Signals } | 'launcher';

/** SIGINT makes Postgres restart in good order; everything else dies at once. */
const faults: readonly Fault[] = [
  { part: 'worker', signal: 'SIGKILL' },
  { part: 'worker', signal: 'SIGKILL' },
  { part: 'web', signal: 'SIGKILL' },
  { part: 'database', signal: 'SIGKILL' },
  { part: 'database', signal: 'SIGINT' },
];

/**
 * Breaks one part after the other, at random moments, but only while runs make progress: a run that loses three workers in a
 * row is given up, and rightly. The launcher is killed `launcherKills` times among them, and finds damaged files when it
 * starts again. Stops early when no run is left. Returns what was done.
 */
export async function breakParts(
  app: FaultApp,
  book: CallBook,
  random: SeededRandom,
  plan: { readonly kills: number; readonly launcherKills: number; readonly isOver: () => boolean },
): Promise<readonly string[]> {
  const done: string[] = [];
  const launcherAt = new Set(
    Array.from({ length: plan.launcherKills }, (_, index) =>
      Math.floor(((index + 1) * plan.kills) / (plan.launcherKills + 1)),
    ),
  );
  for (let index = 0; index < plan.kills && !plan.isOver(); index += 1) {
    const fault = launcherAt.has(index) ? 'launcher' : random.pick(faults);
    const note = fault === 'launcher' ? await breakLauncher(app, random) : breakPart(app, fault, random);
    done.push(note);
    console.log(`  ${note}`);
    await until(`health is ok after: ${note}`, 60_000, async () => (await readHealth(app.url))?.status === 'ok');
    const before = book.count();
    await until('the model is asked again', 60_000, async () => plan.isOver() || book.count() >= before + 15);
    await sleep(random.below(800));
  }
  return done;
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
