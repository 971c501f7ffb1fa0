import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client as McpClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { Client } from 'pg';
import { startFakeServer } from '../fake-server';
import { median } from '../figures';
import { rawRound } from '../raw-loop';
import { createProject, runsEnded, startRun } from './client';
import { type BenchServer, startBenchServer } from './server';

const children = 500;
const toolCalls = 3;
const rounds = 3;

const echoServer = `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';
const server = new McpServer({ name: 'echo', version: '1.0.0' });
server.registerTool('echo', { inputSchema: { message: z.string() } }, ({ message }) => ({
  content: [{ type: 'text', text: message }],
}));
await server.connect(new StdioServerTransport());
`;

/**
 * Measures 500 children with three calls each to one stdio server, through the app with everything stored. The reference is
 * a bare loop with the same MCP client and the same model. Every round starts a new server, and both sides include its
 * start.
 */
export async function benchServers(): Promise<void> {
  const model = await startFakeServer({ children, toolCalls, delayMs: 50 });
  const server = await startBenchServer({ workers: 1, modelUrl: model.url });
  const database = new Client({ connectionString: server.databaseUrl });
  try {
    await database.connect();
    const ours: number[] = [];
    const bare: number[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      const [bareMs, oursMs] = [await bareRound(model.url), await appRound(server, database, round)];
      // The first round is a warm-up on both sides.
      if (round === 0) continue;
      bare.push(bareMs);
      ours.push(oursMs);
    }
    const ratio = median(ours.map((wall, at) => wall / (bare[at] ?? Number.NaN)));
    console.log(`  bare loop ${median(bare).toFixed(0)} ms, through the app ${median(ours).toFixed(0)} ms`);
    console.log(
      `  ratio ${ratio.toFixed(2)}× (goal ≤ 1.3×); medians of ${rounds} rounds after one that is not counted`,
    );
  } finally {
    await database.end();
    await server.stop();
    model.stop();
  }
}

async function bareRound(modelUrl: string): Promise<number> {
  const folder = mkdtempSync(path.join(tmpdir(), 'callboard-bench-echo-'));
  try {
    symlinkSync(path.resolve('node_modules'), path.join(folder, 'node_modules'));
    writeFileSync(path.join(folder, 'echo.mjs'), echoServer);
    const begun = performance.now();
    const client = new McpClient({ name: 'bench', version: '1.0.0' });
    await client.connect(new StdioClientTransport({ command: process.execPath, args: ['echo.mjs'], cwd: folder }));
    await client.listTools();
    await rawRound(modelUrl, children, toolCalls, async () => {
      return JSON.stringify((await client.callTool({ name: 'echo', arguments: { message: 'x' } })).content);
    });
    const wall = performance.now() - begun;
    await client.close();
    return wall;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function appRound(server: BenchServer, database: Client, round: number): Promise<number> {
  const project = await createProject(server, `Servers ${round}`, {
    'agent-cards/lead.md': `---\nname: lead\ndefault: true\nagents: [child]\nmax_parallel: ${children}\n---\nAsk every child.\n`,
    'agent-cards/child.md': '---\nname: child\ndescription: A child\nservers: [echo]\n---\nUse your tool.\n',
    'fast-agent.yaml':
      'default_model: openai.fake\nmcp:\n  servers:\n    echo: {command: node, args: [servers/echo.mjs]}\n',
    'callboard.yaml': `version: 1\nlimits: {max_parallel: ${children * 2}}\n`,
    // A different file makes a different tree, so every round starts a new server.
    'servers/echo.mjs': `// Round ${round}\n${echoServer}`,
  });
  const begun = performance.now();
  const run = await startRun(server, project, 'Go');
  await runsEnded(database, [run]);
  const wall = performance.now() - begun;
  const { rows } = await database.query<{ status: string; calls: number }>(
    `SELECT r.status, count(e.*)::int AS calls FROM "Run" r LEFT JOIN "Event" e ON e."runId" = r.id AND e.kind = 'tool.ended'
     WHERE r.id = $1 GROUP BY r.status`,
    [run],
  );
  const [{ status, calls } = { status: 'lost', calls: 0 }] = rows;
  const wanted = children * (toolCalls + 1);
  if (status !== 'completed' || calls !== wanted)
    throw new Error(`The run ended ${status} after ${calls} of ${wanted} calls`);
  return wall;
}
