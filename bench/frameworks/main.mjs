// Runs agents of real frameworks against a fake model server and reads the OpenTelemetry spans that they send:
//   node bench/frameworks/main.mjs [--keep] [http://localhost:3000 TOKEN]
// With an address the spans also go to that Callboard. --keep writes them to lib/interop/kept, for the tests.
// The packages of the frameworks are installed into a temporary folder and are no dependencies of Callboard.
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { tsImport } from 'tsx/esm/api';

const telemetry = ['sdk-trace-node', 'exporter-trace-otlp-proto', 'resources', 'api'].map(
  (name) => `@opentelemetry/${name}`,
);
const frameworks = {
  'vercel-ai': ['ai@6', '@ai-sdk/openai-compatible@1', 'zod@4'],
  'openai-agents': ['@openai/agents@0.20.0', 'openai', 'zod@4', '@arizeai/openinference-instrumentation-openai-agents'],
  mastra: [
    ...['@mastra/core@1', '@mastra/observability@1', '@mastra/otel-exporter@1', 'zod@4'],
    '@ai-sdk/openai-compatible@2',
  ],
  langgraph: [
    ...['@langchain/langgraph@1.1.0', '@langchain/core', '@langchain/openai', 'zod@4'],
    '@arizeai/openinference-instrumentation-langchain',
  ],
};

const root = fileURLToPath(new URL('../..', import.meta.url));
const keeps = process.argv.includes('--keep');
const [app, token] = process.argv.slice(2).filter((word) => word !== '--keep');
const load = (file) =>
  tsImport(path.join(root, file), { parentURL: import.meta.url, tsconfig: path.join(root, 'tsconfig.json') });
const { readOtlpProtobuf } = await load('lib/interop/otlp/read-otlp-protobuf.ts');
const { stepOfSpan } = await load('lib/interop/spans/step-of-span.ts');

let bodies = [];
const server = http.createServer(async (request, response) => {
  const parts = [];
  for await (const part of request) parts.push(part);
  const body = Buffer.concat(parts);
  if (request.url === '/v1/traces') {
    bodies.push(body);
    if (app !== undefined) await forward(body);
    response.writeHead(200, { 'Content-Type': 'application/x-protobuf' }).end();
    return;
  }
  // Mastra sends logs, too.
  if (request.url === '/v1/logs') return void response.writeHead(200).end();
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer(JSON.parse(body))));
});
await promisify(server.listen.bind(server))(0, '127.0.0.1');
const url = `http://127.0.0.1:${server.address().port}/v1`;
let failed = false;
for (const [name, packages] of Object.entries(frameworks)) await runOne(name, packages);
server.close();
process.exitCode = failed ? 1 : 0;

async function runOne(name, packages) {
  const folder = mkdtempSync(path.join(tmpdir(), 'callboard-framework-'));
  bodies = [];
  try {
    cpSync(path.join(root, 'bench/frameworks/adapters'), folder, { recursive: true });
    writeFileSync(path.join(folder, 'package.json'), '{"private":true,"type":"module"}');
    execFileSync('npm', ['install', '--silent', '--no-audit', '--no-fund', ...packages, ...telemetry], { cwd: folder });
    const env = { ...process.env, MODEL_URL: url, TRACES_URL: `${url}/traces` };
    const child = spawn(process.execPath, [`${name}.mjs`], { cwd: folder, env, stdio: 'inherit', timeout: 60_000 });
    const code = await new Promise((resolve) => child.once('exit', resolve));
    const { spans } = readOtlpProtobuf(Buffer.concat(bodies));
    const unknown = spans.map(stepOfSpan).filter(({ kind }) => kind === 'unknown');
    console.log(
      `${name}: ${spans.length} spans, ${unknown.length} of an unknown kind${unknown.map((one) => ` "${one.original}"`)}`,
    );
    failed ||= code !== 0 || spans.length === 0 || unknown.length > 0;
    if (keeps) writeFileSync(path.join(root, 'lib/interop/kept', `${name}.pb`), Buffer.concat(bodies));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function forward(body) {
  const headers = { 'Content-Type': 'application/x-protobuf', ...(token && { Authorization: `Bearer ${token}` }) };
  const { status } = await fetch(new URL('/v1/traces', app), { method: 'POST', headers, body });
  if (status !== 200) console.error(`Callboard answered ${status}`);
}

/** Asks for the weather first, and answers when it is known. Every id is unique, because frameworks merge equal ones. */
function answer({ model, messages }) {
  const isKnown = messages.some(({ role }) => role === 'tool');
  const call = {
    id: crypto.randomUUID(),
    type: 'function',
    function: { name: 'get_weather', arguments: '{"city":"Paris"}' },
  };
  const message = isKnown
    ? { role: 'assistant', content: 'It is sunny in Paris.' }
    : { role: 'assistant', content: null, tool_calls: [call] };
  const usage = { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 };
  const choices = [{ index: 0, message, finish_reason: isKnown ? 'stop' : 'tool_calls' }];
  return { id: crypto.randomUUID(), object: 'chat.completion', created: 1, model, choices, usage };
}
