import assert from 'node:assert/strict';
import type { SeededRandom } from '@/lib/testing/seeded-random';
import { createProject, startRun } from './api';
import { type FaultApp, type Part, readHealth } from './app';
import type { CallBook } from './call-book';
import { setClockBack } from './clock';
import { damageDataFolder, damageProcessFiles } from './damage';
import { fillAndEmpty, type SmallDisk } from './disk';
import { blockWorker, freezeWeb } from './freeze';
import { watchHealth } from './health-watch';
import { projectFiles } from './load';
import { answerAll, askingFiles, faultsOfQuestions } from './people';
import { readStream } from './reader';
import { type FollowedRun, faultsOfRun, stepsSeen } from './storm';
import { until } from './until';

type Check = (name: string, work: () => Promise<string>) => Promise<void>;

interface SmokeRun extends FollowedRun {
  /** It asks a person before each of its tool calls. */
  readonly isAsking: boolean;
}

/** At each fault so many runs are under way. */
const runsUnderWay = 8;

/**
 * Makes one fault of each kind, one after the other, in one app that has runs under way. After each fault every run gets further.
 * At the end the logs are checked, and what readers and people were told. `disk` has the data of the app; it throws NotTried
 * where none could be mounted.
 */
export async function smoke(
  app: FaultApp,
  book: CallBook,
  randomOf: (stream: number) => SeededRandom,
  disk: () => SmallDisk,
  check: Check,
): Promise<void> {
  const plain = await createProject(app.url, projectFiles(book));
  const asking = await createProject(app.url, askingFiles(book));
  const stopReading = new AbortController();
  const health = watchHealth(app);
  const answers = answerAll(app, asking, randomOf(2));
  const runs = new Map<string, SmokeRun>();

  async function topUp(): Promise<void> {
    const open = [...runs.values()].filter(({ reader }) => !reader.isDone()).length;
    for (let count = open; count < runsUnderWay; count += 1) {
      const name = `run-${runs.size + 1}`;
      const isAsking = runs.size % 4 === 0;
      const id = await startRun(app.url, isAsking ? asking : plain, name);
      runs.set(name, { id, isAsking, reader: readStream(app.url, id, randomOf(100 + runs.size), stopReading.signal) });
    }
  }

  async function breakAndRecover(fault: () => Promise<string>): Promise<string> {
    await topUp();
    const before = [...runs.values()].map(({ reader }) => ({ reader, steps: stepsSeen(reader) }));
    const note = await fault();
    await until('health is ok', 60_000, async () => (await readHealth(app.url))?.status === 'ok');
    await until('every run gets further', 60_000, async () =>
      before.every(({ reader, steps }) => reader.isDone() || stepsSeen(reader) > steps),
    );
    return note;
  }

  async function checkRuns(): Promise<string> {
    const wrong: string[] = [];
    for (const [name, run] of runs) {
      const found = await faultsOfRun(app, book, name, run);
      wrong.push(...found.wrong, ...(run.isAsking ? faultsOfQuestions(name, found.log, answers.kept) : []));
    }
    const drops = [...runs.values()].reduce((sum, { reader }) => sum + reader.drops(), 0);
    assert.deepEqual(wrong.slice(0, 20), [], `${wrong.length} faults`);
    assert.deepEqual(health.lies, []);
    assert.ok(health.everDegraded(), 'health never said that something was down');
    assert.ok(drops > 0 && answers.kept.size > 0, `${drops} stream drops, ${answers.kept.size} answers`);
    return `${runs.size} runs, ${drops} stream drops, ${answers.kept.size} acknowledged answers`;
  }

  try {
    for (const [name, fault] of Object.entries(faultsOf(app, randomOf(1), disk, plain))) {
      await check(name, () => breakAndRecover(fault));
    }
    await check('logs, readers of streams and people who are asked', checkRuns);
  } finally {
    stopReading.abort();
    await Promise.all([answers.stop(), health.stop()]);
  }
}

/** Returns each kind of fault by its name. Each resolves to a note about what it did. */
function faultsOf(
  app: FaultApp,
  random: SeededRandom,
  disk: () => SmallDisk,
  project: string,
): Record<string, () => Promise<string>> {
  const end = (part: Part, signal: NodeJS.Signals) => async () => {
    assert.ok(
      app.signal(part, signal, (pids) => random.pick(pids)),
      `no process of the ${part} runs`,
    );
    return `${signal} to ${part}`;
  };
  return {
    'a killed worker': end('worker', 'SIGKILL'),
    'a killed web process': end('web', 'SIGKILL'),
    'a killed database': end('database', 'SIGKILL'),
    'a database that is restarted': end('database', 'SIGINT'),
    async 'a run that blocks its worker'() {
      await blockWorker(app);
      return 'the run ended worker_frozen';
    },
    'a request that blocks the web process': () => freezeWeb(app),
    async 'a clock that is set back'() {
      setClockBack(app);
      return 'an hour back';
    },
    async 'a killed launcher, and damaged files'() {
      await app.killLauncher();
      await until('its processes have ended', 60_000, async () => app.left().length === 0);
      const notes = [await damageDataFolder(app.dataFolder, random), damageProcessFiles(app.dataFolder, random)];
      await app.start();
      return notes.join(', ');
    },
    'a full disk': () => fillAndEmpty(app, disk(), project),
  };
}
