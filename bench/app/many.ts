import { Client } from 'pg';
import { startFakeServer } from '../fake-server';
import { createProject, spread, timeOf } from './client';
import { type BenchServer, startBenchServer } from './server';
import { oneStep } from './starts';

const projects = 5_000;
const runs = 100_000;
const repeats = 20;

/** Measures pages and the API on a generated database with 5,000 projects and 100,000 runs. */
export async function benchMany(): Promise<void> {
  const model = await startFakeServer({ children: 0, toolCalls: 0, delayMs: 0 });
  const server = await startBenchServer({ workers: 1, modelUrl: model.url });
  const database = new Client({ connectionString: server.databaseUrl });
  try {
    await database.connect();
    const pattern = await createProject(server, 'Pattern', oneStep);
    await fill(database, pattern);
    console.log('  each page once after the start, then 20 times (goal ≤ 300 ms)');
    for (const [what, address] of [
      ['runs page', '/runs'],
      ['runs page, one project', `/runs?project=${pattern}`],
      ['runs page, failed ones', '/runs?status=failed'],
      ['runs page, a text', '/runs?text=number%2099'],
      ['projects page', '/'],
      ['projects page, a text', '/?text=project%2049'],
      ['API: runs', '/api/v1/runs?limit=25'],
      ['API: projects', '/api/v1/projects'],
      ['API: a project', `/api/v1/projects/${pattern}`],
    ] as const) {
      await measure(server, what, address);
    }
  } finally {
    await database.end();
    await server.stop();
    model.stop();
  }
}

async function measure(server: BenchServer, what: string, address: string): Promise<void> {
  const first = await timeOf(server, address);
  const times: number[] = [];
  for (let index = 0; index < repeats; index += 1) times.push(await timeOf(server, address));
  console.log(`  ${what.padEnd(26)} first ${first.toFixed(0)} ms, then ${spread(times)}`);
}

/**
 * Writes projects with unread trees, and runs in groups of up to five. Some runs have long messages, and a tenth has failed.
 */
async function fill(database: Client, pattern: string): Promise<void> {
  await database.query(
    `INSERT INTO "Tree" (hash, entries)
     SELECT 'bench-' || i, t.entries FROM generate_series(1, $2::int) i, "Tree" t
     JOIN "Draft" d ON d."treeHash" = t.hash WHERE d."projectId" = $1`,
    [pattern, projects],
  );
  await database.query(
    `INSERT INTO "Project" (id, name, origin, "createdAt", "updatedAt")
     SELECT gen_random_uuid(), 'project ' || i, 'api', now() - make_interval(mins => i), now() - make_interval(mins => i)
     FROM generate_series(1, $1::int) i`,
    [projects],
  );
  await database.query(
    `INSERT INTO "Draft" ("projectId", "treeHash")
     SELECT id, 'bench-' || substring(name FROM 9) FROM "Project" WHERE name LIKE 'project %'`,
  );
  await database.query(
    `INSERT INTO "Run" (id, "projectId", "treeHash", "correlationId", status, "entryAgent", message, answer, usage,
       "createdAt", "startedAt", "finishedAt", "lastSeq")
     SELECT gen_random_uuid(), p.id, d."treeHash", 'group-' || (i / 5), CASE WHEN i % 10 = 0 THEN 'failed' ELSE 'completed' END,
       'solo', to_json('Ask number ' || i || repeat(' and more', CASE WHEN i % 50 = 0 THEN 2000 ELSE 10 END))::text,
       to_json(repeat('An answer. ', 50))::text,
       '{"inputTokens":100,"outputTokens":20,"cachedInputTokens":0,"reasoningTokens":0,"modelCalls":1}',
       now() - make_interval(secs => i), now() - make_interval(secs => i - 1), now() - make_interval(secs => i - 2), 8
     FROM generate_series(1, $1::int) i
     JOIN (SELECT id, row_number() OVER (ORDER BY name) AS number FROM "Project") p ON p.number = 1 + i % $2::int
     JOIN "Draft" d ON d."projectId" = p.id`,
    [runs, projects],
  );
  await database.query('ANALYZE');
}
