// A small MCP server over stdio without a dependency, so that this folder runs wherever it is copied: the clock of any
// city, and whether its offices are open. The messages are those of https://modelcontextprotocol.io (2025-06-18): JSON-RPC,
// one message a line.
import { createInterface } from 'node:readline';

const inputSchema = {
  type: 'object',
  properties: { timezone: { type: 'string', description: 'IANA time zone, for example Europe/London' } },
  required: ['timezone'],
};

const tools = [
  { name: 'get_time', description: 'The current local time in a time zone.', inputSchema, answer: localTime },
  {
    name: 'office_hours',
    description: 'Whether offices in a time zone are open now (Monday to Friday, 9 to 17).',
    inputSchema,
    answer: (timezone) => (isOfficeTime(timezone) ? 'open' : 'closed'),
  },
];

function localTime(timezone) {
  return new Intl.DateTimeFormat('en-GB', { timeZone: timezone, dateStyle: 'medium', timeStyle: 'short' }).format();
}

function isOfficeTime(timezone) {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    weekday: 'short',
    hour: 'numeric',
    hour12: false,
  });
  const { weekday, hour } = Object.fromEntries(format.formatToParts().map((part) => [part.type, part.value]));
  return !['Sat', 'Sun'].includes(weekday) && Number(hour) >= 9 && Number(hour) < 17;
}

function call({ name, arguments: args }) {
  const tool = tools.find((one) => one.name === name);
  try {
    if (!tool) throw new Error(`There is no tool '${name}'.`);
    if (typeof args?.timezone !== 'string') throw new Error("'timezone' must be a string.");
    return { content: [{ type: 'text', text: tool.answer(args.timezone) }] };
  } catch (error) {
    return { content: [{ type: 'text', text: error.message }], isError: true };
  }
}

const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion: protocolVersion ?? '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'time', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: tools.map(({ answer: _, ...tool }) => tool) }),
  'tools/call': call,
};

for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() === '') continue;
  const { id, method, params } = JSON.parse(line);
  // A notification wants no answer.
  if (id === undefined || method === undefined) continue;
  const known = Object.hasOwn(methods, method) ? methods[method] : undefined;
  const outcome = known
    ? { result: known(params ?? {}) }
    : { error: { code: -32601, message: `There is no method '${method}'.` } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...outcome })}\n`);
}
