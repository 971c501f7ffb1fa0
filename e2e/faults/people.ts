import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SeededRandom } from '@/lib/testing/seeded-random';
import { createProject, readLog, readRun, type StoredEvent, startRun, waitForEnd } from './api';
import { bearer, type FaultApp, type Part, readHealth } from './app';
import type { CallBook } from './call-book';
import { faultsOfLog } from './checks';
import { projectFiles, stepsOfRun } from './load';
import { until } from './until';

const runsUnderWay = 10;
/** The order is random, and so is the moment: between any two steps of asking, suspending, answering and resuming. */
const killed: readonly Part[] = ['worker', 'web', 'database', 'worker', 'database', 'worker', 'web', 'worker'];

export interface Answers {
  /** The items whose answer was acknowledged. */
  readonly kept: ReadonlySet<string>;
  stop(): Promise<void>;
}

/**
 * Kills every part while runs ask for each of their tool calls, are suspended for it, and are answered. Each answer that was
 * acknowledged must be in the log of its run, once, and no tool may run again whose result is recorded.
 */
export async function askUnderFaults(app: FaultApp, book: CallBook, random: SeededRandom): Promise<string> {
  const project = await createProject(app.url, askingFiles(book));
  const runs = new Map<string, string>();
  for (let number = 1; number <= runsUnderWay; number += 1) {
    const name = `run-${90_000 + number}`;
    runs.set(name, await startRun(app.url, project, name));
  }
  const answers = answerAll(app, project, random);
  try {
    for (const part of shuffled(killed, random)) {
      const before = await lengthsOf(app, runs);
      await sleep(random.below(1_500));
      app.signal(part, 'SIGKILL', (pids) => random.pick(pids));
      console.log(`  SIGKILL to ${part} while people are asked`);
      await until(`health is ok after ${part}`, 60_000, async () => (await readHealth(app.url))?.status === 'ok');
      // A run that loses three workers in a row at the same place is rightly given up.
      await until('every run got further', 120_000, async () => {
        const now = await lengthsOf(app, runs).catch(() => undefined);
        return (
          now !== undefined &&
          [...now].every(([run, { length, isOver }]) => isOver || length > (before.get(run)?.length ?? 0))
        );
      });
    }
    const wrong: string[] = [];
    for (const [name, id] of runs) {
      const run = await waitForEnd(app.url, id);
      if (run.status !== 'completed') wrong.push(`${name} (${id}) is ${run.status}: ${JSON.stringify(run.error)}`);
      const log = await readLog(app.url, id);
      wrong.push(...faultsOfLog(name, log, book), ...faultsOfQuestions(name, log, answers.kept));
    }
    assert.deepEqual(wrong.slice(0, 20), [], `${wrong.length} faults`);
    assert.ok(answers.kept.size > 0, 'no answer was acknowledged');
    return `${runs.size} runs, ${answers.kept.size} acknowledged answers`;
  } finally {
    await answers.stop();
  }
}

/** Returns the files of a project whose tool asks before each call. */
export function askingFiles(book: CallBook): Record<string, string> {
  return {
    ...projectFiles(book),
    'callboard.yaml': 'version: 1\napprovals:\n  hold_s: 0\n  rules: [{ tools: ["count__*"], effect: ask }]\n',
  };
}

/** Approves whatever is asked, until it is stopped. An answer whose response was lost is given again. */
export function answerAll(app: FaultApp, project: string, random: SeededRandom): Answers {
  const kept = new Set<string>();
  const stopping = new AbortController();
  const done = (async () => {
    while (!stopping.signal.aborted) {
      for (const id of await answerOpen(app, project).catch(() => [])) kept.add(id);
      await sleep(50 + random.below(400));
    }
  })();
  return {
    kept,
    async stop() {
      stopping.abort();
      await done;
    },
  };
}

async function answerOpen(app: FaultApp, project: string): Promise<readonly string[]> {
  const signal = AbortSignal.timeout(10_000);
  const listed = await fetch(`${app.url}/api/v1/pending?project=${project}&limit=500`, { headers: bearer, signal });
  if (!listed.ok) return [];
  const { items } = (await listed.json()) as { readonly items: readonly { readonly id: string }[] };
  if (items.length === 0) return [];
  const response = await fetch(`${app.url}/api/v1/pending/answers`, {
    method: 'POST',
    headers: { ...bearer, 'content-type': 'application/json' },
    body: JSON.stringify({ answers: items.map(({ id }) => ({ id, decision: 'approve', note: noteOf(id) })) }),
    signal,
  });
  if (!response.ok) return [];
  const { results } = (await response.json()) as {
    readonly results: readonly { readonly id: string; readonly ok: boolean }[];
  };
  return results.flatMap(({ id, ok }) => (ok ? [id] : []));
}

function noteOf(item: string): string {
  return `answer to ${item}`;
}

/** Returns what is wrong with the questions in the log of one run, a sentence each. */
export function faultsOfQuestions(
  name: string,
  log: readonly StoredEvent[],
  kept: ReadonlySet<string>,
): readonly string[] {
  const asked = itemsOf(log, 'person.asked');
  const answered = itemsOf(log, 'person.answered');
  return [
    ...(asked.length === stepsOfRun.tool ? [] : [`${name}: ${asked.length} questions, not ${stepsOfRun.tool}`]),
    ...(new Set(asked.map(({ item }) => item)).size === asked.length ? [] : [`${name}: a question is asked twice`]),
    ...asked.flatMap(({ item }) => {
      const ends = answered.filter((end) => end.item === item);
      if (ends.length !== 1) return [`${name}: question ${item} has ${ends.length} ends`];
      if (!kept.has(item) || ends[0]?.text.includes(noteOf(item))) return [];
      return [`${name}: the answer to ${item} was acknowledged, but the log says ${ends[0]?.text}`];
    }),
  ];
}

function itemsOf(
  log: readonly StoredEvent[],
  kind: string,
): readonly { readonly item: string; readonly text: string }[] {
  return log.flatMap((event) =>
    event.kind === kind ? [{ item: (JSON.parse(event.text) as { readonly item: string }).item, text: event.text }] : [],
  );
}

/** Returns how far each run is. Rejects while the app does not answer. */
async function lengthsOf(app: FaultApp, runs: ReadonlyMap<string, string>) {
  const found = new Map<string, { readonly length: number; readonly isOver: boolean }>();
  for (const [name, id] of runs) {
    const run = await readRun(app.url, id);
    if (run === undefined) throw new Error(`Run ${id} cannot be read`);
    const isOver = !['queued', 'running', 'suspended'].includes(run.status);
    found.set(name, { length: isOver ? 0 : (await readLog(app.url, id)).length, isOver });
  }
  return found;
}

function shuffled<T>(list: readonly T[], random: SeededRandom): readonly T[] {
  const rest = [...list];
  return list.flatMap(() => rest.splice(random.below(rest.length), 1));
}
