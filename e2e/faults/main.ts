import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { seededRandom } from '@/lib/testing/seeded-random';
import { stormAccounts } from './accounts';
import { createApp } from './app';
import { openCallBook } from './call-book';
import { stepClock } from './clock';
import { damageProcessFiles } from './damage';
import { fillDisk, mountSmallDisk, NotTried, type SmallDisk } from './disk';
import { freezeWeb, freezeWorker } from './freeze';
import { startModel } from './load';
import { askUnderFaults } from './people';
import { smoke } from './smoke';
import { storm } from './storm';
import { until } from './until';

/**
 * Runs the fault suite: node bin/faults.mjs [--smoke | --long] [--seed N] [--only TEXT] [--report FILE]. docs/faults.md describes
 * it. All random choices come from the seed, but their timing depends on the machine.
 */
const { values } = parseArgs({
  options: {
    smoke: { type: 'boolean' },
    long: { type: 'boolean' },
    seed: { type: 'string' },
    only: { type: 'string' },
    report: { type: 'string' },
  },
});
const isLong = values.long === true || process.env.CALLBOARD_FAULTS === 'long';
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const randomOf = (stream: number) => seededRandom(seed * 1_000 + stream);

const form = values.smoke === true ? 'one fault of each kind' : isLong ? 'long form' : 'short form';
console.log(`Fault suite, ${form}. Seed ${seed}; --seed ${seed} repeats it.`);
const began = performance.now();
const folder = mkdtempSync(path.join(tmpdir(), 'callboard-fault-calls-'));
const book = openCallBook(path.join(folder, 'tool-calls'));
const pace = values.smoke === true ? { leastMs: 300, moreMs: 600 } : { leastMs: 2_000, moreMs: 4_000 };
const model = await startModel(book, randomOf(0), pace);
const env = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'fault-suite' };
const disk = values.smoke === true ? trySmallDisk() : undefined;
// Also when the suite ends early.
process.once('exit', () => disk?.remove());
const app = await createApp(env, disk && path.join(disk.folder, 'data'));
/** The part that stops the app, which is never left out. */
const stopped = 'no process is left behind';
let passed = 0;
const failed: string[] = [];
let skipped = 0;

async function check(name: string, work: () => Promise<string>): Promise<void> {
  if (values.only !== undefined && !name.includes(values.only) && name !== stopped) return;
  try {
    const note = await work();
    passed += 1;
    console.log(`✓ ${name}: ${note}`);
  } catch (error) {
    if (error instanceof NotTried) {
      skipped += 1;
      console.log(`- ${name}: not tried, ${error.message}`);
      return;
    }
    failed.push(`e2e/faults › ${name} (seed ${seed})`);
    const moment = ((performance.now() - began) / 1_000).toFixed(1);
    console.error(`✗ ${name}, seed ${seed}, at ${moment} s\n${error instanceof Error ? error.stack : String(error)}`);
    console.error(`  launcher: ${app.lastWords()}`);
  }
}

await app.start();
if (values.smoke === true) await smoke(app, book, randomOf, existingDisk, check);
else await breakEverything();
await check(stopped, async () => {
  const left = await app.stop();
  if (left.length > 0) throw new Error(left.join('\n'));
  return 'none';
});
// This part has an app of its own, with accounts. It is killed 3 times with --smoke, 100 times with --long, and 20 times otherwise.
const kills = values.smoke === true ? 3 : isLong ? 100 : 20;
await check('people with accounts write while parts are killed', () => stormAccounts(randomOf(4), kills));
if (values.smoke !== true) await check('a full disk', () => fillDisk(env, book));

await model.close();
if (values.report !== undefined) writeFileSync(values.report, JSON.stringify({ passed, failed }));
rmSync(folder, { recursive: true, force: true });
console.log(`${Math.round((performance.now() - began) / 1_000)} s`);
console.log(`${passed} passed, ${failed.length} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exit(failed.length === 0 ? 0 : 1);

async function breakEverything(): Promise<void> {
  for (let wave = 0; wave < (isLong ? 4 : 1); wave += 1) {
    await check('60 runs at a time through kills, restarts, half-written files and stream drops', () =>
      storm(app, book, randomOf, wave),
    );
  }
  await check('people who are asked while parts are killed', () => askUnderFaults(app, book, randomOf(3)));
  await check('a clock that is set back', () => stepClock(app, book));
  await check('a run that blocks its worker', () => freezeWorker(app, book));
  await check('a request that blocks the web process', () => freezeWeb(app));
  await check('a start beside a damaged postmaster.pid', async () => {
    await app.killLauncher();
    await until('the database has ended', 60_000, async () => app.left().length === 0);
    const damage = damageProcessFiles(app.dataFolder, randomOf(2));
    await app.start();
    return damage;
  });
}

function trySmallDisk(): SmallDisk | undefined {
  try {
    return mountSmallDisk();
  } catch (error) {
    if (error instanceof NotTried) return undefined;
    throw error;
  }
}

function existingDisk(): SmallDisk {
  if (disk === undefined) throw new NotTried('this account may not mount a file system');
  return disk;
}
