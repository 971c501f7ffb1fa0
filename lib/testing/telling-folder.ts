import type { FakeOpenAIOptions } from './fake-openai';

/**
 * Returns a folder whose servers are given `STORED`, `SHARED` and `LISTED`, and tell them as they are, wherever a server may tell something:
 * in instructions, descriptions, results, errors, logs, progress and on stderr. The server `far` at `trap` gets them in its address and its
 * headers, and answers what the trap answers. With `asks` a person is asked before a tool is called.
 */
export function tellingFolder(trap: string, { asks }: { readonly asks: boolean }): Record<string, string> {
  return {
    'agent-cards/lead.md':
      '---\nname: lead\ndefault: true\nmodel: openai.fake\nservers: [teller, far]\n---\nLead. {{serverInstructions}}\n',
    'fast-agent.yaml': `mcp:
  servers:
    teller:
      command: node
      args: [tell.mjs, "\${STORED}"]
      env: { STORED: "\${STORED}", SHARED: "\${SHARED}", LISTED: "\${LISTED}" }
    far: { url: "${trap}/echo?s=\${STORED}", headers: { X-Shared: "\${SHARED}", X-Listed: "\${LISTED}" } }
`,
    'callboard.yaml': `version: 1\nentry: lead\n${asks ? 'approvals: { hold_s: 120, rules: [{ tools: [teller__tell], effect: ask }] }\n' : ''}`,
    'tell.mjs': tellingServer,
  };
}

/**
 * A model that calls the tools of the folder once, with a value of its own as their argument, and then repeats what they returned and that
 * value.
 */
export function answerTelling(value: string): NonNullable<FakeOpenAIOptions['respond']> {
  return ({ messages, tools }) => {
    const results = messages.filter(({ role }) => role === 'tool');
    if (results.length > 0)
      return { text: `The tools said: ${results.map(({ text }) => text).join(' ')} And ${value}.` };
    const told = tools.filter(({ name }) => /tell|fail/.test(name));
    return { toolCalls: told.map(({ name }) => ({ name, arguments: { note: value } })) };
  };
}

const tellingServer = `import { createHash } from 'node:crypto';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';
const { STORED = '', SHARED = '', LISTED = '' } = process.env;
const said = 'stored=' + STORED + ' shared=' + SHARED + ' listed=' + LISTED;
const sum = createHash('sha256').update([STORED, SHARED, LISTED, process.argv[2]].join(' ')).digest('hex');
console.error('At the start: ' + said);
const server = new McpServer(
  { name: 'teller', version: '1' },
  { capabilities: { logging: {} }, instructions: 'Instructions: ' + said },
);
const inputSchema = { note: z.string() };
server.registerTool('tell', { description: 'Tells ' + said, inputSchema }, async (_, { _meta, sendNotification }) => {
  console.error('In the call: ' + said);
  await server.server.sendLoggingMessage({ level: 'info', data: { said } });
  const progressToken = _meta?.progressToken;
  if (progressToken !== undefined) {
    await sendNotification({ method: 'notifications/progress', params: { progressToken, progress: 1, message: said } });
  }
  return { content: [{ type: 'text', text: said + ' sum=' + sum }], structuredContent: { said, list: [said] } };
});
server.registerTool('fail', { description: 'Fails', inputSchema }, async () => {
  throw new Error('It failed: ' + said);
});
await server.connect(new StdioServerTransport());
`;
