import { openStore } from '@/lib/store/database';
import { fillWithRuns } from '@/lib/testing/many-runs';
import { spread, timeOf } from './app/client';
import { type BenchServer, startBenchServer } from './app/server';
import { quantile } from './figures';

const size = { runs: 100_000, projects: 500 };
const repeats = 15;

/** Addresses of the list with the milliseconds that they may take. A filter changes nothing but the request of the API. */
const rows: readonly (readonly [what: string, address: string, goalMs: number])[] = [
  ['floor: one run of the API', '/api/v1/runs/r500', 0],
  ['page: no filter', '/runs', 300],
  ['page: failed ones of a tool', '/runs?status=failed&tool=search_7', 300],
  ['no filter', '/api/v1/runs', 200],
  ['status=failed,cancelled', '/api/v1/runs?status=failed,cancelled', 200],
  ['status.not=completed', '/api/v1/runs?status.not=completed', 200],
  ['project', '/api/v1/runs?project=p7', 200],
  ['agent, common', '/api/v1/runs?agent=writer', 200],
  ['tool, of one run', '/api/v1/runs?tool=rare_tool_19000', 200],
  ['tool.not', '/api/v1/runs?tool.not=search_3', 200],
  ['hook.is', '/api/v1/runs?hook.is=hooks.ts:audit-3', 200],
  ['text, of one run', '/api/v1/runs?text=number-99777.', 200],
  ['text, of none', '/api/v1/runs?text=nothing+like+it', 200],
  ['text of two letters, of none', '/api/v1/runs?text=~~', 200],
  ['duration.gt, of five runs', '/api/v1/runs?duration.gt=1h', 200],
  ['duration.gt, of half', '/api/v1/runs?duration.gt=30s', 200],
  ['waited.gt, of five runs', '/api/v1/runs?waited.gt=1h', 200],
  ['cost.gt, of a tenth', '/api/v1/runs?cost.gt=0.045', 200],
  ['tokens.gt, of five runs', '/api/v1/runs?tokens.gt=1M', 200],
  ['score.min, of a tenth', '/api/v1/runs?score.min=0.5', 200],
  ['score.lt, of five runs', '/api/v1/runs?score.lt=quality:0.05', 200],
  ['files', '/api/v1/runs?files=t300', 200],
  ['source.not', '/api/v1/runs?source.not=callboard', 200],
  ['time, an hour long ago', '/api/v1/runs?time.after=20h&time.before=19h', 200],
  ['six parts', '/api/v1/runs?status=failed&agent=writer&hook=audit&duration.gt=10s&cost.gt=0.01&tokens.lt=15k', 200],
  ['chart: no filter', '/api/v1/runs/chart', 200],
  ['chart: a text of one run', '/api/v1/runs/chart?text=number-99777.', 200],
  ['names of tools', '/api/v1/runs/names?field=tool&text=sea', 200],
];

/** Measures the list of runs over HTTP on a production build, with 100,000 generated runs in Postgres. */
export async function benchRunsList(): Promise<void> {
  console.log(`\nThe list of runs, ${size.runs.toLocaleString('en-US')} runs in ${size.projects} projects (runs-list)`);
  const server = await startBenchServer({ workers: 1, modelUrl: 'http://127.0.0.1:9' });
  try {
    const store = openStore(server.databaseUrl);
    try {
      await fillWithRuns(store, size);
    } finally {
      await store.close();
    }
    // The first page after a start loads code. It is measured, too, but only as a line of its own.
    console.log(`  first page after the start: ${(await timeOf(server, '/runs')).toFixed(0)} ms`);
    for (const [what, address, goalMs] of rows) await measure(server, what, address, goalMs);
  } finally {
    await server.stop();
  }
}

async function measure(server: BenchServer, what: string, address: string, goalMs: number): Promise<void> {
  const times: number[] = [];
  for (let index = 0; index < repeats; index += 1) times.push(await timeOf(server, address));
  const met = goalMs === 0 ? '' : quantile(times, 0.95) <= goalMs ? `, goal ${goalMs} met` : `, goal ${goalMs} MISSED`;
  console.log(`  ${what.padEnd(30)} ${spread(times)}${met}`);
}
