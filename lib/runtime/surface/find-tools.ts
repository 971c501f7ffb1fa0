import { isRecord, type Json } from '@/lib/base/json';
import type { ToolDescriptor } from '@/lib/runtime/ports';
import type { Message, ToolResult } from '@/lib/runtime/record/messages';
import { errorResult } from '@/lib/runtime/record/tool-error';
import { rankTools } from './rank-tools';

/**
 * The tool with which an agent finds its tools when it has many. What was found is read from the conversation alone. So a resumed
 * run, a continued session and a replay offer the same tools, and a tool stays as long as the conversation says that it was found.
 */
export const findToolsName = 'find_tools';

const mostFound = 10;
const mostServersTold = 20;

export function findToolsTool(searchable: readonly ToolDescriptor[]): ToolDescriptor {
  const counts = new Map<string, number>();
  for (const { serverName = 'functions of the project' } of searchable) {
    counts.set(serverName, (counts.get(serverName) ?? 0) + 1);
  }
  const where = counts.size === 0 ? '' : `: ${serversIn(counts)}`;
  return {
    name: findToolsName,
    description: `Find tools by what they do, and use them from your next step on. There are ${searchable.length} tools${where}.`,
    inputSchema: {
      type: 'object',
      properties: {
        query: {
          type: 'string',
          description: "A few words about what the tool does, such as 'create issue', or its name",
        },
      },
      required: ['query'],
    },
    source: 'runtime',
  };
}

function serversIn(counts: ReadonlyMap<string, number>): string {
  const told = [...counts].slice(0, mostServersTold).map(([name, count]) => `${name} (${count})`);
  const rest = counts.size > mostServersTold ? `, and ${counts.size - mostServersTold} more servers` : '';
  return `${told.join(', ')}${rest}`;
}

/** Returns the result of a call of `find_tools`: name and first sentence of at most 10 tools, the best first. */
export function findTools(searchable: readonly ToolDescriptor[], query: Json | undefined): ToolResult {
  if (typeof query !== 'string' || query.trim() === '') {
    return errorResult('INPUT_VALIDATION', "Error: 'query' must say in a few words what the tool does.");
  }
  const ranked = rankTools(searchable, query);
  const tools = ranked
    .slice(0, mostFound)
    .map(({ name, description }) => ({ name, description: firstSentence(description) }));
  const note = noteOn(tools.length, ranked.length, searchable.length);
  const lines = tools.map((tool) => (tool.description === '' ? tool.name : `${tool.name}: ${tool.description}`));
  return {
    content: [{ type: 'text', text: [note, ...lines].join('\n') }],
    isError: false,
    // Models read this in place of the text.
    structuredContent: { note, tools },
  };
}

function noteOn(shown: number, fitting: number, all: number): string {
  if (shown === 0) return `None of the ${all} tools fits. Try other words.`;
  const more =
    fitting > shown ? ` ${fitting - shown} more fit less well: use other words if none of these is right.` : '';
  return `You can call these tools from your next step on.${more}`;
}

/**
 * Returns the names of the tools that a conversation found or called, each once, in order. They may be names of tools that do not
 * exist, or exist no longer.
 */
export function toolsNamedIn(messages: readonly Message[]): readonly string[] {
  const named = new Set<string>();
  const searches = new Set<string>();
  for (const message of messages) {
    if (message.role === 'assistant') {
      // Ids are unique within one message only.
      searches.clear();
      for (const { id, name } of message.toolCalls) {
        if (name === findToolsName) searches.add(id);
        else named.add(name);
      }
    } else if (message.role === 'tool') {
      for (const { callId, result } of message.results) {
        if (searches.has(callId)) for (const name of foundIn(result)) named.add(name);
      }
    }
  }
  return [...named];
}

/** Hooks may have changed the result, so nothing is taken for granted. */
function foundIn({ structuredContent: content }: ToolResult): readonly string[] {
  if (!isRecord(content) || !Array.isArray(content.tools)) return [];
  return content.tools.flatMap((tool: unknown) => (isRecord(tool) && typeof tool.name === 'string' ? [tool.name] : []));
}

/** Servers write descriptions, so one is shown on one line and only its beginning. */
function firstSentence(description: string): string {
  const line = description.slice(0, 2_000).replace(/\s+/g, ' ').trim();
  const sentence = /^.*?[.!?。！？](?= |$)/u.exec(line)?.[0] ?? line;
  const letters = [...sentence];
  return letters.length > maxSentence ? `${letters.slice(0, maxSentence).join('')}…` : sentence;
}

const maxSentence = 200;
