import { Client } from 'pg';
import { z } from 'zod';
import { createProject, get, spread, timeOf } from '../app/client';
import { type BenchServer, startBenchServer } from '../app/server';
import { asksInWords } from './asking';

const items = 10_000;
const runs = 1_000;
const rounds = 40;
const page = z.object({ items: z.array(z.unknown()), next: z.string().nullable(), open: z.number() });

/** The page of a person, and pages of the API up to the largest, each with the number of all open questions. */
const lists = [
  ['the page /inbox', '/inbox'],
  ['the list of the inbox: 100 questions and their number', '/api/v1/pending'],
  ['the largest page of the API: 500', '/api/v1/pending?limit=500'],
  ['of one run', '/api/v1/pending?run=bench-run-7'],
] as const;

/** Measures lists of 10,000 open questions of 1,000 suspended runs. The reference is the read of one question. */
export async function benchInbox(): Promise<void> {
  const server = await startBenchServer({ workers: 1, modelUrl: 'http://127.0.0.1:9/v1' });
  const database = new Client({ connectionString: server.databaseUrl });
  try {
    await database.connect();
    await fill(database, await createProject(server, 'Inbox', asksInWords(0)));
    for (const [what, address] of lists) await report(what, 'goal p95 ≤ 200 ms', () => timeOf(server, address));
    await report('all of them, in pages of 500', 'no goal', () => allPages(server), 5);
    await report('reference: one question', 'no goal', () => timeOf(server, '/api/v1/pending/bench-item-77'));
  } finally {
    await database.end();
    await server.stop();
  }
}

async function report(what: string, goal: string, measure: () => Promise<number>, times = rounds): Promise<void> {
  await measure();
  await measure();
  const taken: number[] = [];
  for (let round = 0; round < times; round += 1) taken.push(await measure());
  console.log(`  ${what.padEnd(54)} ${spread(taken)}   (${goal})`);
}

async function allPages(server: BenchServer): Promise<number> {
  const begun = performance.now();
  let count = 0;
  for (let after: string | null = ''; after !== null; ) {
    const address: string = `/api/v1/pending?limit=500&after=${encodeURIComponent(after)}`;
    const { items: some, next } = page.parse(await (await get(server, address)).json());
    count += some.length;
    after = next;
  }
  if (count !== items) throw new Error(`${count} questions in place of ${items}`);
  return performance.now() - begun;
}

/** Stores suspended runs with open questions of 4 kB, as workers leave them. */
async function fill(database: Client, project: string): Promise<void> {
  await database.query(
    `INSERT INTO "Run" (id, "projectId", "treeHash", "correlationId", message, status, "startedAt", "lastSeq")
     SELECT 'bench-run-' || n, draft."projectId", draft."treeHash", 'bench-' || n, '"Go"', 'suspended', now(), 8
     FROM generate_series(1, $2::int) n, "Draft" draft WHERE draft."projectId" = $1`,
    [project, runs],
  );
  await database.query(
    `INSERT INTO "PendingItem" (id, "runId", "projectId", stint, kind, path, step, tool, sentence, question, "createdAt")
     SELECT 'bench-item-' || n, 'bench-run-' || (n % $3 + 1), $1, 0, 'approval', 'lead/clerk[' || n || ']', 'lead/clerk#t' || n, 'mail__send',
       to_json('Call tool ''mail__send'' with input: letter ' || n)::text,
       json_build_object('item', 'bench-item-' || n, 'path', 'lead/clerk', 'step', 'lead/clerk#t' || n, 'what', 'approval',
         'sentence', 'Call tool', 'argumentsHash', 'h', 'arguments', json_build_object('body', repeat(md5(n::text), 120)))::text,
       now() - n * interval '1 second'
     FROM generate_series(1, $2::int) n`,
    [project, items, runs],
  );
  await database.query('ANALYZE');
}
