// An MCP server over stdio without a dependency, so that this folder runs wherever it is copied. Messages are those of
// https://modelcontextprotocol.io (2025-06-18): JSON-RPC, one message a line.
import { createInterface } from 'node:readline';

const zone = { type: 'string', description: 'IANA time zone, for example America/New_York' };

const tools = {
  get_current_time: {
    description: 'The current time in a time zone.',
    inputSchema: { type: 'object', properties: { timezone: zone }, required: ['timezone'] },
    answer: ({ timezone }) => timeIn(timezone, new Date()),
  },
  convert_time: {
    description: 'What a moment is in a time zone.',
    inputSchema: {
      type: 'object',
      properties: {
        moment: { type: 'string', description: 'ISO 8601, for example 2026-05-01T12:00:00Z' },
        timezone: zone,
      },
      required: ['moment', 'timezone'],
    },
    answer: ({ moment, timezone }) => timeIn(timezone, new Date(moment)),
  },
};

function timeIn(timeZone, date) {
  if (typeof timeZone !== 'string') throw new Error("'timezone' must be a string.");
  return new Intl.DateTimeFormat('en-GB', { timeZone, weekday: 'short', hour: '2-digit', minute: '2-digit' }).format(
    date,
  );
}

const methods = {
  initialize: ({ protocolVersion = '2025-06-18' }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'tm', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({
    tools: Object.entries(tools).map(([name, { description, inputSchema }]) => ({ name, description, inputSchema })),
  }),
  'tools/call': ({ name, arguments: args = {} }) => {
    try {
      if (!Object.hasOwn(tools, name)) throw new Error(`There is no tool '${name}'.`);
      return { content: [{ type: 'text', text: tools[name].answer(args) }] };
    } catch (error) {
      return { content: [{ type: 'text', text: error.message }], isError: true };
    }
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() === '') continue;
  const { id, method, params = {} } = JSON.parse(line);
  // A notification wants no answer.
  if (id === undefined || method === undefined) continue;
  const reply = Object.hasOwn(methods, method)
    ? { result: methods[method](params) }
    : { error: { code: -32601, message: `There is no method '${method}'.` } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...reply })}\n`);
}
