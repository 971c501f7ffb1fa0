// A small MCP server over stdio: the clock of any city, and whether its offices are open.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const server = new McpServer({ name: 'time', version: '1.0.0' });
const timezone = z.string().describe('IANA time zone, for example Europe/London');

server.registerTool(
  'get_time',
  { description: 'The current local time in a time zone.', inputSchema: { timezone } },
  ({ timezone }) => answer(() => localTime(timezone)),
);

server.registerTool(
  'office_hours',
  {
    description: 'Whether offices in a time zone are open now (Monday to Friday, 9 to 17).',
    inputSchema: { timezone },
  },
  ({ timezone }) => answer(() => (isOfficeTime(timezone) ? 'open' : 'closed')),
);

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

function answer(read) {
  try {
    return { content: [{ type: 'text', text: read() }] };
  } catch (error) {
    return { content: [{ type: 'text', text: error.message }], isError: true };
  }
}

await server.connect(new StdioServerTransport());
