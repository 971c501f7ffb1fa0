import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SeededRandom } from '@/lib/testing/seeded-random';
import { invitations } from '../invitations';
import { withAccounts } from '../people';
import { createApp, type FaultApp, type Part, readHealth } from './app';
import { makeAdministrator, type Person } from './person';
import { until } from './until';

const parts: readonly Part[] = ['worker', 'web', 'database'];

/** What was acknowledged, by its unique name, with the id that the app gave it. */
interface Kept {
  readonly saves: Map<number, string>;
  readonly comments: string[];
  readonly secrets: string[];
  readonly runs: Map<string, string>;
  readonly answers: Map<string, string>;
}

/**
 * Kills parts of an app with accounts while its people save files, comment on a review, set secrets, start runs and answer what these
 * ask. What was acknowledged must be there afterwards, once, and in the audit log.
 */
export async function stormAccounts(random: SeededRandom, kills: number): Promise<string> {
  const app = await createApp(withAccounts);
  try {
    await app.start();
    return await writeUnderFaults(app, await makeAdministrator(app), random, kills);
  } finally {
    await app.stop();
  }
}

async function writeUnderFaults(app: FaultApp, person: Person, random: SeededRandom, kills: number): Promise<string> {
  const place = await prepare(person);
  const kept: Kept = { saves: new Map(), comments: [], secrets: [], runs: new Map(), answers: new Map() };
  const stopping = new AbortController();
  const writers = Object.entries(writersOf(person, place, kept)).map(async ([name, write]) => {
    for (let number = 1; !stopping.signal.aborted; number += 1) {
      await write(`${name}-${number}`).catch(() => undefined);
      await sleep(100 + random.below(400));
    }
  });
  for (let kill = 0; kill < kills; kill += 1) {
    await sleep(500 + random.below(1_500));
    const part = parts[kill % parts.length] ?? 'worker';
    app.signal(part, 'SIGKILL', (pids) => random.pick(pids));
    console.log(`  SIGKILL to ${part} while people with accounts write`);
    await until(`health is ok after ${part}`, 60_000, async () => (await readHealth(app.url))?.status === 'ok');
  }
  await sleep(1_000);
  stopping.abort();
  await Promise.all(writers);
  await until('every run ends', 120_000, async () => await areOver(person, place, kept));
  const wrong = await faultsOfKept(person, place, kept);
  assert.deepEqual(wrong.slice(0, 20), [], `${wrong.length} faults`);
  const counts = [kept.saves.size, kept.comments.length, kept.secrets.length, kept.runs.size, kept.answers.size];
  assert.ok(!counts.includes(0), `nothing of a kind was acknowledged: ${counts.join(', ')}`);
  const [saves, comments, secrets, runs, answers] = counts;
  return `${kills} kills: ${saves} saves, ${comments} comments, ${secrets} secrets, ${runs} runs, ${answers} answers`;
}

interface Place {
  /** The path of the project in the API. */
  readonly project: string;
  readonly id: string;
  readonly review: string;
  readonly thread: string;
}

async function prepare(person: Person): Promise<Place> {
  const { id } = await person.must('POST', '/api/v1/projects', { name: 'Storm', files: invitations });
  const project = `/api/v1/projects/${id}`;
  const none = { startsPerMinute: null, activePerPerson: null, activePerProject: null };
  const budget = { maxUsd: null, maxTokens: null, maxRuns: null };
  await person.must('PUT', '/api/v1/limits', { runs: none, budget });
  await person.must('POST', `${project}/drafts`, { name: 'edit' });
  await person.must('PATCH', `${project}/files`, saveOf(1, 'first'));
  const { number } = await person.must('POST', `${project}/reviews`, { title: 'Storm', draft: 'edit' });
  const review = `${project}/reviews/${number}`;
  const { thread } = await person.must('POST', `${review}/threads`, { anchor: { kind: 'review' }, body: 'Begin.' });
  return { project, id: `${id}`, review, thread: `${thread}` };
}

function saveOf(baseVersion: number, text: string) {
  return { baseVersion, draft: 'edit', changes: [{ path: 'notes.md', text }] };
}

/** One write of each kind. Each notes what the app has acknowledged. */
function writersOf(person: Person, { project, id, review, thread }: Place, kept: Kept) {
  return {
    async save(text: string) {
      const { version } = await person.must('GET', `${project}/files?draft=edit`);
      const saved = await person.must('PATCH', `${project}/files`, saveOf(Number(version), text));
      kept.saves.set(Number(saved.version), text);
    },
    async comment(body: string) {
      await person.must('POST', `${review}/threads/${thread}/comments`, { body: `The ${body}.` });
      kept.comments.push(`The ${body}.`);
    },
    async secret(name: string) {
      const variable = name.toUpperCase().replace('-', '_');
      await person.must('PUT', `/api/v1/secrets/${variable}?project=${id}`, { value: `value of ${variable}` });
      kept.secrets.push(variable);
    },
    async run(correlationId: string) {
      const { runId } = await person.must('POST', `${project}/runs`, { message: 'Go.', draft: 'main', correlationId });
      kept.runs.set(correlationId, `${runId}`);
    },
    async answer() {
      for (const [item, run] of await openQuestions(person, id)) {
        await person.must('POST', `/api/v1/pending/${item}/answer`, { decision: 'approve', note: `to ${item}` });
        kept.answers.set(item, run);
      }
    },
  };
}

async function openQuestions(person: Person, project: string): Promise<readonly (readonly [string, string])[]> {
  const { items } = await person.must('GET', `/api/v1/pending?project=${project}&limit=200`);
  return (items as readonly { readonly id: string; readonly run: string }[]).map((item) => [item.id, item.run]);
}

/** Answers what is still asked. Returns true if every run that was acknowledged is over. */
async function areOver(person: Person, place: Place, kept: Kept): Promise<boolean> {
  await writersOf(person, place, kept)
    .answer()
    .catch(() => undefined);
  const states = await Promise.all([...kept.runs.values()].map((run) => person.ask('GET', `/api/v1/runs/${run}`)));
  return states.every(
    ({ body }) => body !== undefined && !['queued', 'running', 'suspended'].includes(`${body.status}`),
  );
}

/** Returns what is lost or doubled, a sentence each. */
async function faultsOfKept(person: Person, { project, id, review }: Place, kept: Kept): Promise<readonly string[]> {
  const wrong: string[] = [];
  const once = (what: string, count: number) => count !== 1 && wrong.push(`${what}: ${count} times`);
  const files = await person.must('GET', `${project}/files?draft=edit`);
  const last = Math.max(...kept.saves.keys());
  const stored = JSON.stringify(files.files);
  if (Number(files.version) < last) wrong.push(`version ${last} was acknowledged, but the draft has ${files.version}`);
  if (files.version === last && !stored.includes(`${kept.saves.get(last)}`))
    wrong.push(`version ${last} has other text`);

  const comments = JSON.stringify(await person.must('GET', review));
  for (const body of kept.comments) once(`comment '${body}'`, comments.split(`"${body}"`).length - 1);

  const secrets = JSON.stringify(await person.must('GET', `/api/v1/secrets?project=${id}`));
  for (const name of kept.secrets) once(`secret ${name}`, secrets.split(`"name":"${name}"`).length - 1);

  const audit = (await person.text('/api/v1/audit/export')).split('\n');
  for (const name of kept.secrets) {
    const entries = audit.filter((line) => line.includes('"secret.set"') && line.includes(`"${name}"`));
    once(`the audit log has secret ${name}`, entries.length);
  }
  for (const item of kept.answers.keys()) {
    const entries = audit.filter((line) => line.includes('"item.answered"') && line.includes(item));
    once(`the audit log has the answer to ${item}`, entries.length);
  }
  for (const [name, run] of kept.runs) wrong.push(...(await faultsOfStored(person, name, run, kept)));
  return wrong;
}

async function faultsOfStored(person: Person, name: string, run: string, kept: Kept): Promise<readonly string[]> {
  const found = await person.must('GET', `/api/v1/runs/${run}`);
  const page = await person.must('GET', `/api/v1/runs/${run}/events?limit=1000`);
  const log = page as unknown as readonly { readonly seq: number; readonly kind: string; readonly item?: string }[];
  const answered = log.filter(({ kind }) => kind === 'person.answered');
  const own = [...kept.answers].filter(([, of]) => of === run);
  return [
    ...(found.status === 'completed' ? [] : [`${name} (${run}) is ${found.status}: ${JSON.stringify(found.error)}`]),
    ...(found.correlationId === name ? [] : [`${name} has the correlation id ${found.correlationId}`]),
    ...log.flatMap(({ seq }, index) => (seq === index + 1 ? [] : [`${name}: seq ${seq} is out of line`])),
    ...own.flatMap(([item]) => {
      const count = answered.filter((event) => event.item === item).length;
      return count === 1 ? [] : [`${name}: the log has the answer to ${item} ${count} times`];
    }),
  ];
}
