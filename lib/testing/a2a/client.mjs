// A client of the official A2A SDK, for tests of servers. Its words are a command:
//   send TEXT [CONTEXT]    waits for the end     begin TEXT       answers at once
//   stream TEXT            get TASK              cancel TASK      watch TASK
//   card                   data VALUE            file             again TASK
import { Role, Task } from '@a2a-js/sdk';
import { ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory } from '@a2a-js/sdk/client';

/**
 * Calls the agent at `url` with version `1.0` or `0.3` of the protocol. Resolves with the result as JSON, or with
 * `{error: {name, message}}`. A stream is a list of its events; `onBegun` is called at the first one.
 */
export async function callAgent({ url, token, version, words, onBegun }) {
  try {
    const result = await perform(await connect({ url, token, version }), words, onBegun);
    return JSON.parse(JSON.stringify(result));
  } catch (error) {
    return { error: { name: error.name, message: error.message } };
  }
}

async function connect({ url, token, version }) {
  const legacyCompat = { enabled: version === '0.3' };
  const fetchImpl = (input, init = {}) => {
    const headers = { ...init.headers, ...(token && { authorization: `Bearer ${token}` }) };
    // A client of version 0.3 names no version.
    if (version === '0.3') delete headers['A2A-Version'];
    return fetch(input, { ...init, headers });
  };
  const card = await new DefaultAgentCardResolver({ fetchImpl, legacyCompat }).resolve(url);
  const supportedInterfaces = card.supportedInterfaces.filter(({ protocolVersion }) => protocolVersion === version);
  const transports = [new JsonRpcTransportFactory({ fetchImpl, legacyCompat })];
  const client = await new ClientFactory({ transports }).createFromAgentCard({ ...card, supportedInterfaces });
  return { card, client };
}

function request(parts, { contextId = '', taskId = '', returnImmediately = false } = {}) {
  const message = {
    messageId: 'm1',
    contextId,
    taskId,
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

async function listOf(events, onBegun) {
  const list = [];
  for await (const event of events) {
    if (list.length === 0) onBegun?.();
    list.push(event);
  }
  return list;
}

async function perform({ card, client }, [command, value = '', contextId = ''], onBegun) {
  const id = { tenant: '', id: value };
  switch (command) {
    case 'card':
      return card;
    case 'send':
      return Task.toJSON(await client.sendMessage(request(text(value), { contextId })));
    case 'begin':
      return Task.toJSON(await client.sendMessage(request(text(value), { returnImmediately: true })));
    case 'again':
      return Task.toJSON(await client.sendMessage(request(text('more'), { taskId: value })));
    case 'data':
      return Task.toJSON(await client.sendMessage(request([part({ $case: 'data', value: JSON.parse(value) })])));
    case 'file':
      return Task.toJSON(await client.sendMessage(request([part({ $case: 'raw', value: Buffer.from('abc') })])));
    case 'stream':
      return await listOf(client.sendMessageStream(request(text(value))), onBegun);
    case 'watch':
      return await listOf(client.resubscribeTask(id), onBegun);
    case 'get':
      return Task.toJSON(await client.getTask(id));
    case 'cancel':
      return Task.toJSON(await client.cancelTask({ ...id, metadata: undefined }));
  }
}
