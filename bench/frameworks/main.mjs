// Runs agents of real frameworks against a fake model server, reads the OpenTelemetry spans that they send as an import does, and compares
// the run with what the agents did:
//   node bench/frameworks/main.mjs [--keep] [--in FOLDER] [--only NAME,NAME] [http://localhost:3000 TOKEN]
// With an address the spans also go to that Callboard. --keep writes them and what the agents did to lib/interop/kept, for the tests.
// The packages of the frameworks are installed into a temporary folder, or into FOLDER, where they stay. They are no dependencies of
// Callboard.
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { tsImport } from 'tsx/esm/api';

const telemetry = ['sdk-trace-node', 'exporter-trace-otlp-proto', 'resources', 'api'].map(
  (name) => `@opentelemetry/${name}`,
);
/** The adapter and the packages of each framework. */
const frameworks = {
  'vercel-ai-5': ['vercel-ai', ['ai@5', '@ai-sdk/openai-compatible@1', 'zod@4']],
  'vercel-ai-6': ['vercel-ai', ['ai@6', '@ai-sdk/openai-compatible@2', 'zod@4']],
  'vercel-ai-7': ['vercel-ai', ['ai@7', '@ai-sdk/otel@1', '@ai-sdk/openai-compatible@3', 'zod@4']],
  'openai-agents': [
    'openai-agents',
    ['@openai/agents', 'openai', 'zod@4', '@arizeai/openinference-instrumentation-openai-agents'],
  ],
  mastra: [
    'mastra',
    ['@mastra/core@1', '@mastra/observability@1', '@mastra/otel-exporter@1', 'zod@4', '@ai-sdk/openai-compatible@2'],
  ],
  langgraph: [
    'langgraph',
    [
      ...['@langchain/langgraph@1', '@langchain/core@1', '@langchain/openai@1', 'langchain@1', 'zod@4'],
      '@arizeai/openinference-instrumentation-langchain',
    ],
  ],
};
/** What frameworks do not record of what happened, by the fields below. `argument` is the only argument without its name. */
const unrecorded = {
  'vercel-ai-5': ['cached', 'reasoning'],
  'vercel-ai-7': ['reasoning'],
  'openai-agents': ['error'],
  langgraph: ['argument'],
};
/** In the second one the model of the packing expert refuses. */
const scenes = ['answered', 'refused'];

const root = fileURLToPath(new URL('../..', import.meta.url));
const { values: options, positionals } = parseArgs({
  options: { keep: { type: 'boolean' }, in: { type: 'string' }, only: { type: 'string' } },
  allowPositionals: true,
});
const [app, token] = positionals;
const load = (file) =>
  tsImport(path.join(root, file), { parentURL: import.meta.url, tsconfig: path.join(root, 'tsconfig.json') });
const { readOtlpProtobuf } = await load('lib/interop/otlp/read-otlp-protobuf.ts');
const { stepOfSpan } = await load('lib/interop/spans/step-of-span.ts');
const { runOfSpans } = await load('lib/interop/run-of-spans.ts');
const { asRecorded, didOfEvents } = await load('lib/testing/did-of-events.ts');

let bodies = [];
/** What the agents did: requests of models with their answers, and calls of tools with their results. */
let did = { models: [], tools: [] };
let scene = 'answered';
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
  if (request.url === '/v1/did') {
    did.tools.push(JSON.parse(body));
    return void response.writeHead(200).end();
  }
  const { status, answer } = answerTo(JSON.parse(body));
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
});
await promisify(server.listen.bind(server))(0, '127.0.0.1');
const url = `http://127.0.0.1:${server.address().port}/v1`;
let failed = false;
for (const name of options.only?.split(',') ?? Object.keys(frameworks)) await runOne(name, ...frameworks[name]);
server.close();
process.exitCode = failed ? 1 : 0;

async function runOne(name, adapter, packages) {
  const folder = options.in ? path.join(options.in, name) : mkdtempSync(path.join(tmpdir(), 'callboard-framework-'));
  try {
    mkdirSync(folder, { recursive: true });
    cpSync(path.join(root, 'bench/frameworks/adapters'), folder, { recursive: true });
    if (!existsSync(path.join(folder, 'node_modules'))) {
      writeFileSync(path.join(folder, 'package.json'), '{"private":true,"type":"module"}');
      execFileSync('npm', ['install', '--silent', '--no-audit', '--no-fund', ...packages, ...telemetry], {
        cwd: folder,
      });
    }
    console.log(`\n${name}: ${versionsIn(folder, packages)}`);
    for (const one of scenes) await runScene(name, { folder, adapter, scene: one });
  } finally {
    if (!options.in) rmSync(folder, { recursive: true, force: true });
  }
}

async function runScene(name, { folder, adapter, scene: wanted }) {
  bodies = [];
  did = { models: [], tools: [] };
  scene = wanted;
  const env = { ...process.env, MODEL_URL: url, TRACES_URL: `${url}/traces` };
  const child = spawn(process.execPath, [`${adapter}.mjs`], { cwd: folder, env, stdio: 'inherit', timeout: 120_000 });
  const code = await new Promise((resolve) => child.once('exit', resolve));
  const { spans } = readOtlpProtobuf(Buffer.concat(bodies));
  const unknown = spans.map(stepOfSpan).filter(({ kind }) => kind === 'unknown');
  console.log(
    `  ${wanted}: ${spans.length} spans, ${unknown.length} of an unknown kind${unknown.map((one) => ` "${one.original}"`)}`,
  );
  const shown = didOfEvents(runOfSpans('run', spans)?.events ?? []);
  const differences = differencesOf(asRecorded(did, unrecorded[name]), asRecorded(shown, unrecorded[name]));
  for (const line of differences) console.log(`    ${line}`);
  failed ||= code !== 0 || spans.length === 0 || unknown.length > 0 || differences.length > 0;
  const kept = path.join(root, 'lib/interop/kept', `${name}-${wanted}`);
  if (options.keep || options.in) {
    const place = options.keep ? kept : path.join(options.in, `${name}-${wanted}`);
    writeFileSync(`${place}.pb`, Buffer.concat(bodies));
    writeFileSync(`${place}.json`, `${JSON.stringify({ ...did, unrecorded: unrecorded[name] ?? [] }, undefined, 2)}\n`);
  }
}

function differencesOf(done, shown) {
  return ['models', 'tools'].flatMap((what) => {
    const [a, b] = [done[what], shown[what]].map((list) => list.map((one) => JSON.stringify(one)).sort());
    return [
      ...a.filter((one) => !b.includes(one)).map((one) => `did    ${one}`),
      ...b.filter((one) => !a.includes(one)).map((one) => `shown  ${one}`),
    ];
  });
}

function versionsIn(folder, packages) {
  return packages
    .map((one) => one.replace(/(?<=.)@[^@/]*$/, ''))
    .map((one) => {
      const { version } = JSON.parse(readFileSync(path.join(folder, 'node_modules', one, 'package.json'), 'utf8'));
      return `${one} ${version}`;
    })
    .join(', ');
}

async function forward(body) {
  const headers = { 'Content-Type': 'application/x-protobuf', ...(token && { Authorization: `Bearer ${token}` }) };
  const { status } = await fetch(new URL('/v1/traces', app), { method: 'POST', headers, body });
  if (status !== 200) console.error(`Callboard answered ${status}`);
}

/** Every id is unique, because frameworks merge equal ones. */
function answerTo({ model, messages, tools }) {
  const asked = messages.findLast(({ role }) => role === 'user');
  const question = typeof asked.content === 'string' ? asked.content : asked.content.map(({ text }) => text).join('');
  if (model === 'fake-packer' && scene === 'refused') {
    did.models.push({ model, question, error: true });
    return { status: 400, answer: { error: { message: 'The packing expert is away', type: 'invalid_request_error' } } };
  }
  const said = model === 'fake-packer' ? { text: 'Take a coat.', calls: [] } : saidByPlanner(messages, tools);
  const prompt_tokens = 100 + messages.length;
  const completion_tokens = 20 + messages.length;
  did.models.push({
    ...{ model, question, text: said.text, calls: said.calls },
    ...{ input: prompt_tokens, output: completion_tokens, cached: 40, reasoning: 7 },
  });
  const message = {
    role: 'assistant',
    content: said.text || null,
    ...(said.calls.length > 0 && {
      tool_calls: said.calls.map(({ name, arguments: given }) => ({
        id: `call_${crypto.randomUUID()}`,
        type: 'function',
        function: { name, arguments: JSON.stringify(given) },
      })),
    }),
  };
  const usage = {
    ...{ prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens },
    prompt_tokens_details: { cached_tokens: 40 },
    completion_tokens_details: { reasoning_tokens: 7 },
  };
  const finish_reason = said.calls.length === 0 ? 'stop' : 'tool_calls';
  const choices = [{ index: 0, message, finish_reason }];
  return {
    status: 200,
    answer: { id: crypto.randomUUID(), object: 'chat.completion', created: 1, model, choices, usage },
  };
}

/** Asks for the weather of two cities, then asks the packing expert, then answers. */
function saidByPlanner(messages, tools) {
  const results = messages.filter(({ role }) => role === 'tool').length;
  const cities = ['Paris', 'Oslo'];
  if (results === 0) {
    return { text: 'Let me look.', calls: cities.map((city) => ({ name: 'get_weather', arguments: { city } })) };
  }
  if (results > cities.length) return { text: 'It is sunny in Paris. Take a coat.', calls: [] };
  const { name, parameters } = tools.map((tool) => tool.function).find((one) => one.name.includes('packer'));
  const [first] = parameters.required ?? Object.keys(parameters.properties);
  return { text: '', calls: [{ name, arguments: { [first]: 'What suits rain?' } }] };
}
