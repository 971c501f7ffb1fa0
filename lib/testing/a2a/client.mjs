// A client of the official A2A SDK as a process of its own, for tests of servers. Its arguments are the base URL, a token or `-`,
// `1.0` or `0.3`, and a command:
//   send TEXT [CONTEXT]    waits for the end     begin TEXT       answers at once
//   stream TEXT            get TASK              cancel TASK      watch TASK
//   card                   data VALUE            file             again TASK
// Prints the result as JSON, or `{"error": {"name", "message"}}`. A stream is a list of its events; its beginning is told on
// standard error.
import { Role, Task } from '@a2a-js/sdk';
import { ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory } from '@a2a-js/sdk/client';

const [url, token, version, command, value = '', contextId = ''] = process.argv.slice(2);

function fetchImpl(input, init = {}) {
  const headers = { ...init.headers, ...(token !== '-' && { authorization: `Bearer ${token}` }) };
  // A client of version 0.3 names no version.
  if (version === '0.3') delete headers['A2A-Version'];
  return fetch(input, { ...init, headers });
}

const legacyCompat = { enabled: version === '0.3' };
const resolver = new DefaultAgentCardResolver({ fetchImpl, legacyCompat });

async function connect() {
  const card = await resolver.resolve(url);
  const supportedInterfaces = card.supportedInterfaces.filter(({ protocolVersion }) => protocolVersion === version);
  const transports = [new JsonRpcTransportFactory({ fetchImpl, legacyCompat })];
  const client = await new ClientFactory({ transports }).createFromAgentCard({ ...card, supportedInterfaces });
  return { card, client };
}

function request(parts, returnImmediately = false) {
  const message = {
    messageId: 'm1',
    contextId,
    taskId: command === 'again' ? value : '',
    role: Role.ROLE_USER,
    parts,
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
  const configuration = { acceptedOutputModes: [], taskPushNotificationConfig: undefined, returnImmediately };
  return { tenant: '', message, configuration, metadata: undefined };
}

const part = (content, more = {}) => ({ content, metadata: undefined, filename: '', mediaType: '', ...more });
const text = (words) => [part({ $case: 'text', value: words })];

async function listOf(events) {
  const list = [];
  for await (const event of events) {
    if (list.length === 0) console.error('begun');
    list.push(event);
  }
  return list;
}

async function perform({ card, client }) {
  const id = { tenant: '', id: value };
  switch (command) {
    case 'card':
      return card;
    case 'send':
      return Task.toJSON(await client.sendMessage(request(text(value))));
    case 'begin':
      return Task.toJSON(await client.sendMessage(request(text(value), true)));
    case 'again':
      return Task.toJSON(await client.sendMessage(request(text('more'))));
    case 'data':
      return Task.toJSON(await client.sendMessage(request([part({ $case: 'data', value: JSON.parse(value) })])));
    case 'file':
      return Task.toJSON(await client.sendMessage(request([part({ $case: 'raw', value: Buffer.from('abc') })])));
    case 'stream':
      return await listOf(client.sendMessageStream(request(text(value))));
    case 'watch':
      return await listOf(client.resubscribeTask(id));
    case 'get':
      return Task.toJSON(await client.getTask(id));
    case 'cancel':
      return Task.toJSON(await client.cancelTask({ ...id, metadata: undefined }));
  }
}

try {
  console.log(JSON.stringify(await perform(await connect())));
} catch (error) {
  console.log(JSON.stringify({ error: { name: error.name, message: error.message } }));
}
