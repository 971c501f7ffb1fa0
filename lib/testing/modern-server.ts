import { writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * A server of protocol 2026-07-28, written against the wire. `answer` takes a message and returns what is sent back. Tools: `book` asks
 * for a city and for consent to an address and echoes what it gets; `guess` asks until it is told `right`; `sample` asks a model;
 * `grow` adds a tool; `later` answers with a task that asks for a city, which is its result. A call whose `requestState` is `old…` is refused as expired. Each start is noted in the file `starts`, each request
 * in `seen`.
 */
const answer = `import { appendFileSync } from 'node:fs';
appendFileSync('starts', process.pid + '\\n');
const version = '2026-07-28';
const tools = ['book', 'guess', 'sample', 'grow', 'later'];
const tasks = new Map();
const task = (taskId, more) => ({ taskId, createdAt: '2026-11-28T00:00:00Z', lastUpdatedAt: '2026-11-28T00:00:00Z', ttlMs: null, pollIntervalMs: 500, ...more });
let notify = () => {};
const form = (message, more) => ({ method: 'elicitation/create', params: { mode: 'form', message, requestedSchema: { type: 'object', properties: { city: { type: 'string', title: 'City', ...more }, quiet: { type: 'boolean', title: 'Quiet room' } }, required: ['city'] } } });
const text = (value) => ({ resultType: 'complete', content: [{ type: 'text', text: JSON.stringify(value) }] });
const needs = (inputRequests, requestState) => ({ resultType: 'input_required', inputRequests, requestState });
function call({ name, arguments: args, inputResponses: given, requestState: state }) {
  if (name === 'grow') { tools.push('grown'); notify(); return text('ok'); }
  if (name === 'later') {
    const id = 'task-' + (tasks.size + 1);
    tasks.set(id, { status: 'input_required', inputRequests: { city: form('Which city?') } });
    return { resultType: 'task', ...task(id, { status: 'working' }) };
  }
  if (name === 'sample') {
    if (given) return text(given.model.content.text);
    return needs({ model: { method: 'sampling/createMessage', params: { maxTokens: 9, messages: [{ role: 'user', content: { type: 'text', text: 'Why?' } }] } } }, 's');
  }
  if (name === 'guess') {
    if (given?.word?.content?.city === 'right') return text(state);
    return needs({ word: form('Guess') }, 'g' + (Number((state ?? 'g0').slice(1)) + 1));
  }
  if (name !== 'book') return text(name);
  if (given) return text({ given, state: state ?? null });
  return needs({ city: form('Which city?', { enum: ['Oslo', 'Bergen'], default: 'Oslo' }), link: { method: 'elicitation/create', params: { mode: 'url', message: 'Pay', url: 'https://pay.example/1' } }, where: { method: 'roots/list' } }, (args.old ? 'old' : 'new') + '-state');
}
function answer({ id, method, params = {} }) {
  const meta = params._meta ?? {};
  appendFileSync('seen', JSON.stringify({ method, name: params.name, state: params.requestState, capabilities: meta['io.modelcontextprotocol/clientCapabilities'] }) + '\\n');
  const error = (code, message) => ({ jsonrpc: '2.0', id, error: { code, message } });
  if (id === undefined) return undefined;
  if (meta['io.modelcontextprotocol/protocolVersion'] !== version) return error(-32022, 'Unsupported protocol version');
  const result = (value) => ({ jsonrpc: '2.0', id, result: value });
  switch (method) {
    case 'server/discover':
      return result({ resultType: 'complete', supportedVersions: [version], capabilities: { logging: {}, tools: { listChanged: true } }, instructions: 'Ask me.' });
    case 'tools/list':
      return result({ resultType: 'complete', tools: tools.map((name) => ({ name, inputSchema: { type: 'object' } })) });
    case 'tools/call':
      if (String(params.requestState).startsWith('old')) return error(-32602, 'Invalid or expired requestState');
      return result(call(params));
    case 'tasks/get':
      return tasks.has(params.taskId) ? result({ resultType: 'complete', ...task(params.taskId, tasks.get(params.taskId)) }) : error(-32602, 'Task not found');
    case 'tasks/update':
      tasks.set(params.taskId, { status: 'completed', result: text(params.inputResponses) });
      return result({ resultType: 'complete' });
    default:
      return error(-32601, 'Method not found');
  }
}
`;

const stdio = `import { createInterface } from 'node:readline';
const send = (message) => process.stdout.write(JSON.stringify(message) + '\\n');
notify = () => send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed', params: {} });
for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.method === 'subscriptions/listen') continue;
  const back = answer(message);
  if (back) send(back);
}
`;

/** Refuses requests whose headers do not repeat what they say. Its port is in the file `port`. */
const http = `import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
createServer(async (request, response) => {
  if (request.method !== 'POST') return response.writeHead(405).end();
  let body = '';
  for await (const chunk of request) body += chunk;
  const message = JSON.parse(body);
  const { headers } = request;
  const isModern = message.params?._meta?.['io.modelcontextprotocol/protocolVersion'] === version;
  const isRepeated = headers['mcp-method'] === message.method && headers['mcp-protocol-version'] === version && headers['mcp-name'] === (message.params?.name ?? message.params?.taskId);
  const back = isModern && !isRepeated ? { jsonrpc: '2.0', id: message.id, error: { code: -32020, message: 'Header mismatch' } } : answer(message);
  if (!back) return response.writeHead(202).end();
  response.writeHead(back.error?.code === -32022 ? 400 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(back));
}).listen(0, '127.0.0.1', function () { writeFileSync('port', String(this.address().port)); });
`;

/** The source of the server as a command. */
export const modernStdioServer = answer + stdio;

/** Writes the server into a folder and returns its command. */
export async function writeModernServer(root: string, transport: 'stdio' | 'http' = 'stdio') {
  const file = `modern-${transport}.mjs`;
  await writeFile(path.join(root, file), transport === 'stdio' ? modernStdioServer : answer + http);
  return { command: 'node', args: [file] };
}
