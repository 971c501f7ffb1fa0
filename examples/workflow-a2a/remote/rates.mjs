// A small A2A agent without a dependency, so that this folder runs wherever it is copied: it converts amounts of money, always at
// the same rates. The messages are those of https://a2a-protocol.org/v1.0.0/specification/: an agent card at a known path, and
// JSON-RPC whose answers are streamed as server-sent events.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';

/** How much one euro is. */
const rates = { EUR: 1, USD: 1.08, GBP: 0.85, NOK: 11.6, JPY: 162 };
const question = /(\d+(?:\.\d+)?) ([A-Z]{3}) in ([A-Z]{3})/g;

function convert([, amount, from, to]) {
  if (!(from in rates && to in rates)) throw new Error(`The rates are those of ${Object.keys(rates).join(', ')}.`);
  return `${amount} ${from} are ${((amount / rates[from]) * rates[to]).toFixed(2)} ${to}. `;
}

const card = (url) => ({
  name: 'rates',
  description: 'Converts amounts of money.',
  version: '1.0.0',
  supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  capabilities: { streaming: true },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 'convert', name: 'Convert', description: 'Converts an amount of money.', tags: ['money'] }],
});

/** Tasks that have ended, by id, so that a client whose connection broke can ask for them. */
const tasks = new Map();
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** The events of one task, in the order of their happening. */
async function* work({ message }) {
  const taskId = randomUUID();
  const contextId = message.contextId || randomUUID();
  const status = (state, text) => ({
    state: `TASK_STATE_${state}`,
    timestamp: new Date().toISOString(),
    ...(text && { message: { messageId: randomUUID(), role: 'ROLE_AGENT', parts: [{ text }], taskId, contextId } }),
  });
  const task = { id: taskId, contextId, status: status('SUBMITTED') };
  tasks.set(taskId, task);
  yield { task: { ...task } };
  const update = (next) => {
    task.status = next;
    return { statusUpdate: { taskId, contextId, status: next } };
  };
  await pause(150);
  yield update(status('WORKING', 'Looking up the rates.'));
  try {
    const questions = [
      ...message.parts
        .map((part) => part.text ?? '')
        .join('\n')
        .matchAll(question),
    ];
    if (questions.length === 0) throw new Error('Ask like this: 900 NOK in EUR.');
    const answer = { artifactId: 'answer', parts: [] };
    for (const [index, each] of questions.entries()) {
      await pause(400);
      const parts = [{ text: convert(each) }];
      answer.parts.push(...parts);
      task.artifacts = [answer];
      yield { artifactUpdate: { taskId, contextId, artifact: { ...answer, parts }, append: index > 0 } };
    }
    yield update(status('COMPLETED'));
  } catch (error) {
    yield update(status('FAILED', error.message));
  }
}

const reply = (id, outcome) => JSON.stringify({ jsonrpc: '2.0', id, ...outcome });

async function answer({ id, method, params }, response) {
  if (method === 'SendStreamingMessage') {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for await (const result of work(params)) response.write(`data: ${reply(id, { result })}\n\n`);
    return response.end();
  }
  response.setHeader('content-type', 'application/json');
  if (method === 'SendMessage') {
    let last;
    for await (const { task, statusUpdate } of work(params)) last = tasks.get(task?.id ?? statusUpdate?.taskId) ?? last;
    return response.end(reply(id, { result: { task: last } }));
  }
  if (method === 'GetTask' && tasks.has(params.id)) return response.end(reply(id, { result: tasks.get(params.id) }));
  const error =
    method === 'GetTask'
      ? { code: -32001, message: `There is no task '${params.id}'.` }
      : { code: -32601, message: `There is no method '${method}'.` };
  response.end(reply(id, { error }));
}

const server = createServer(async (request, response) => {
  const url = `http://127.0.0.1:${server.address().port}`;
  if (request.method === 'GET' && request.url === '/.well-known/agent-card.json') {
    return response.setHeader('content-type', 'application/json').end(JSON.stringify(card(url)));
  }
  if (request.method !== 'POST') return response.writeHead(404).end();
  const parts = [];
  for await (const part of request) parts.push(part);
  try {
    await answer(JSON.parse(Buffer.concat(parts).toString('utf8')), response);
  } catch (error) {
    if (!response.headersSent) response.setHeader('content-type', 'application/json');
    response.end(reply(null, { error: { code: -32600, message: error.message } }));
  }
});

// On loopback only: other machines cannot call it.
server.listen(Number(process.argv[2] ?? 41241), '127.0.0.1', () => {
  console.log(`The agent 'rates' listens at http://127.0.0.1:${server.address().port}`);
});
