import { openStore } from '@/lib/store/database';
import { fillWithTallies } from '@/lib/testing/many-tallies';
import { dashboardGroups, dashboardRanges } from '@/lib/trace/dashboard';
import { spread, timeOf } from './app/client';
import { type BenchServer, startBenchServer } from './app/server';
import { quantile } from './figures';

const size = { runs: 1_000_000, projects: 50, days: 90 };
const repeats = 11;
const goalMs = 300;

/** Measures the dashboard over HTTP on a production build, with the sums of 1,000,000 generated runs of 90 days in Postgres. */
export async function benchDashboard(): Promise<void> {
  console.log(`\nThe dashboard, ${size.runs.toLocaleString('en-US')} runs in ${size.projects} projects (dashboard)`);
  const server = await startBenchServer({ workers: 1, modelUrl: 'http://127.0.0.1:9' });
  try {
    const store = openStore(server.databaseUrl);
    try {
      console.log(`  sums: ${(await fillWithTallies(store, size)).toLocaleString('en-US')} rows`);
    } finally {
      await store.close();
    }
    for (const range of Object.keys(dashboardRanges))
      await measure(server, `page, ${range}`, `/runs/dashboard?range=${range}`);
    for (const by of dashboardGroups) {
      await measure(server, `30d by ${by}`, `/api/v1/runs/dashboard?range=30d&by=${by}`);
      await measure(server, `90d by ${by}`, `/api/v1/runs/dashboard?range=90d&by=${by}`);
    }
    await measure(server, '90d by agent, of a project', '/api/v1/runs/dashboard?range=90d&by=agent&project=p7');
  } finally {
    await server.stop();
  }
}

async function measure(server: BenchServer, what: string, address: string): Promise<void> {
  const times: number[] = [];
  for (let index = 0; index < repeats; index += 1) times.push(await timeOf(server, address));
  const met = quantile(times, 0.95) <= goalMs ? `goal ${goalMs} met` : `goal ${goalMs} MISSED`;
  console.log(`  ${what.padEnd(30)} ${spread(times)}, ${met}`);
}
