import { type FakeOpenAI, type FakeReply, type FakeRequest, startFakeOpenAI } from '@/lib/testing/fake-openai';
import type { SeededRandom } from '@/lib/testing/seeded-random';
import type { CallBook } from './call-book';

const children = 2;
const turns = 5;

/** The numbers of model steps and tool calls of a run that ends correctly. */
export const stepsOfRun = { model: 2 + children * (turns + 1), tool: children * turns } as const;

/** How long an answer of the model takes: `leastMs`, and up to `moreMs` more. */
export interface Pace {
  readonly leastMs: number;
  readonly moreMs: number;
}

/**
 * Starts a model server that survives every fault. The message of a run is its name, `run-7`. Children are called with
 * `run-7.1`, and each of their turns asks for one tool call. Every answer begins with its step and the number of the call.
 */
export async function startModel(book: CallBook, random: SeededRandom, pace: Pace): Promise<FakeOpenAI> {
  return await startFakeOpenAI({
    record: false,
    respond(request) {
      const name = request.messages.flatMap(({ role, text }) => (role === 'user' ? [nameIn(text)] : [])).find(Boolean);
      const asked = request.messages.reduce((sum, message) => sum + message.toolCalls, 0);
      const step = `${name}#${asked}`;
      book.asked(step, request.number);
      return {
        ...replyTo(request, name ?? '', asked),
        text: `${step} ${request.number}`,
        delayMs: pace.leastMs + random.below(pace.moreMs),
      };
    },
  });
}

function nameIn(text: string): string | undefined {
  return /run-\d+(?:\.\d+)?/.exec(text)?.[0];
}

function replyTo(request: FakeRequest, name: string, asked: number): FakeReply {
  const names = request.tools.map((tool) => tool.name);
  const child = names.find((tool) => tool.startsWith('agent__'));
  if (child !== undefined) {
    if (asked > 0) return {};
    const toolCalls = Array.from({ length: children }, (_, index) => ({
      name: child,
      arguments: { message: `${name}.${index + 1}` },
    }));
    return { toolCalls };
  }
  if (asked >= turns) return {};
  return { toolCalls: [{ name: 'count__tick', arguments: { step: `${name}#${asked}` } }] };
}

/** Returns a project whose tool is a real stdio server that notes each call in the book. */
export function projectFiles(book: CallBook): Record<string, string> {
  return {
    'agent-cards/lead.md': '---\nname: lead\ndefault: true\nagents: [kid]\n---\nLead.\n',
    'agent-cards/kid.md': '---\nname: kid\nservers: [count]\n---\nCount.\n',
    'fast-agent.yaml': `default_model: openai.fake
mcp:
  servers:
    count:
      command: node
      args: [servers/count.mjs, ${JSON.stringify(book.toolFile)}]
`,
    'servers/count.mjs': `import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const server = new McpServer({ name: 'count', version: '1.0.0' });
server.registerTool('tick', { inputSchema: { step: z.string() } }, async ({ step }) => {
  const id = randomUUID();
  appendFileSync(process.argv[2], step + ' ' + id + '\\n');
  await new Promise((resolve) => setTimeout(resolve, 100));
  return { content: [{ type: 'text', text: step + ' ' + id }] };
});
await server.connect(new StdioServerTransport());
`,
  };
}
