import { globMatch } from '@/lib/base/fnmatch';
import { isRecord, type JsonObject } from '@/lib/base/json';
import type { ToolDescriptor } from '@/lib/runtime/ports';
import type { ContentBlock, ToolResult } from '@/lib/runtime/record/messages';
import { anyResult } from './any-result';
import type { Listing } from './connection';
import { faultSentence, listAll } from './list-all';
import type { ListedPrompt } from './list-items';
import type { Question } from './question';
import { errorResult, OddResult, readBlock } from './tool-result';

/** A generated tool for the resources or prompts of a server. A string result is the fault in the arguments. */
export interface ContentTool {
  readonly tool: ToolDescriptor;
  question(args: JsonObject): Question | ToolResult;
}

/** The card's patterns of names for one server. `undefined` means no filter. */
export interface ContentFilters {
  readonly tools: readonly string[] | undefined;
  readonly resources: readonly string[] | undefined;
  readonly prompts: readonly string[] | undefined;
}

/** A listing has at most this many lines. */
const maxListed = 1_000;
/** At most this many entries that are left out are named. */
const maxFaults = 20;
/** At most this many prompts are described to the model one by one. */
const maxDescribed = 50;

/**
 * Generates `list_resources`, `read_resource` and `get_prompt` for a server that has resources or prompts. A card that filters
 * the server's tools gets them only if its `resources` or `prompts` name the server, or if the filter matches their names. A
 * tool of the server with the same name takes precedence.
 */
export function contentTools(serverName: string, listing: Listing, filters: ContentFilters): readonly ContentTool[] {
  const made: ContentTool[] = [];
  if (listing.hasResources) made.push(...resourceTools(serverName, filters.resources));
  const prompts = listing.prompts.filter(({ name }) => fits(filters.prompts, name));
  if (prompts.length > 0) made.push(promptTool(serverName, prompts));
  const taken = new Set(listing.tools.map((tool) => tool.remoteName));
  return made.filter(({ tool: { remoteName = '' } }) => {
    const own = remoteName === 'get_prompt' ? filters.prompts : filters.resources;
    if (taken.has(remoteName) || own?.length === 0) return false;
    return own !== undefined || fits(filters.tools, remoteName);
  });
}

function resourceTools(serverName: string, patterns: readonly string[] | undefined): readonly ContentTool[] {
  const list: ContentTool = {
    tool: contentTool(
      serverName,
      'list_resources',
      `List the resources of server '${serverName}': what read_resource reads.`,
      {
        type: 'object',
        properties: {},
      },
    ),
    question: () => async (session, options) => {
      const resources = await listAll(session.client, 'resources', options);
      // Some servers with resources do not support templates.
      const templates = await listAll(session.client, 'templates', options).catch(() => ({ items: [], faults: [] }));
      const lines = [
        ...resources.items
          .filter(({ uri }) => fits(patterns, uri))
          .map(({ uri, name, mimeType, description }) => line(uri, name, mimeType, description)),
        ...templates.items
          .filter(({ uriTemplate }) => fits(patterns, uriTemplate))
          .map(({ uriTemplate, name, mimeType, description }) =>
            line(`${uriTemplate} (template: fill in the braces)`, name, mimeType, description),
          ),
      ];
      const rest = lines.length > maxListed ? [`[first ${maxListed} of ${lines.length}]`] : [];
      const faults = [...resources.faults, ...templates.faults].slice(0, maxFaults);
      const notes = faults.map((fault) => `[${faultSentence(serverName, fault)}]`);
      const shown = lines.length === 0 ? ['There are no resources.'] : [...lines.slice(0, maxListed), ...rest];
      const text = [...shown, ...notes].join('\n');
      return { content: [{ type: 'text', text }], isError: false };
    },
  };
  const read: ContentTool = {
    tool: contentTool(serverName, 'read_resource', `Read a resource of server '${serverName}'.`, {
      type: 'object',
      properties: { uri: { type: 'string', description: 'Its URI, as list_resources gives it' } },
      required: ['uri'],
    }),
    question: ({ uri }) => {
      if (typeof uri !== 'string' || uri === '')
        return errorResult('INPUT_VALIDATION', "Error: 'uri' must be a string.");
      if (!fits(patterns, uri)) {
        return errorResult(
          'NOT_ALLOWED',
          `Error: '${uri}' is not a resource that this agent may read. See list_resources.`,
        );
      }
      return async ({ client }, options) => {
        const result = await client.request({ method: 'resources/read', params: { uri } }, anyResult, options);
        return { content: listIn(result, 'contents').map(toContent), isError: false };
      };
    },
  };
  return [list, read];
}

function listIn(result: unknown, member: string): readonly unknown[] {
  const list = isRecord(result) ? result[member] : undefined;
  if (!Array.isArray(list)) throw new OddResult(`'${member}' is missing or of another type`);
  return list;
}

/** Converts a resource to content. An image stays an image. */
function toContent(resource: unknown): ContentBlock {
  const { mimeType, blob } = isRecord(resource) ? resource : {};
  if (typeof blob === 'string' && typeof mimeType === 'string') {
    if (mimeType.startsWith('image/')) return { type: 'image', data: blob, mimeType };
    if (mimeType.startsWith('audio/')) return { type: 'audio', data: blob, mimeType };
  }
  return readBlock({ type: 'resource', resource });
}

function promptTool(serverName: string, prompts: readonly ListedPrompt[]): ContentTool {
  const names = prompts.map(({ name }) => name);
  const lines = prompts.slice(0, maxDescribed).map(({ name, title, description, arguments: given }) => {
    const args = given.map((one) => `${one.name}${one.required ? '' : '?'}`).join(', ');
    const about = description ?? title;
    return `- ${name}(${args})${about === undefined ? '' : `: ${about}`}`;
  });
  const rest = prompts.length > maxDescribed ? [`and ${prompts.length - maxDescribed} more`] : [];
  const description = [`Get a prompt of server '${serverName}':`, ...lines, ...rest].join('\n');
  return {
    tool: contentTool(serverName, 'get_prompt', description, {
      type: 'object',
      properties: {
        name: { type: 'string', enum: names },
        arguments: { type: 'object', additionalProperties: { type: 'string' } },
      },
      required: ['name'],
    }),
    question: (args) => {
      const { name } = args;
      if (typeof name !== 'string' || !names.includes(name)) {
        return errorResult('INPUT_VALIDATION', `Error: 'name' must be one of ${names.join(', ')}.`);
      }
      const given = textMap(args.arguments);
      if (given === undefined) return errorResult('INPUT_VALIDATION', "Error: 'arguments' must map names to strings.");
      return async ({ client }, options) => {
        const params = { name, arguments: given };
        const messages = listIn(
          await client.request({ method: 'prompts/get', params }, anyResult, options),
          'messages',
        );
        const only = messages.length === 1 ? messages[0] : undefined;
        const isPlain = isRecord(only) && only.role === 'user';
        const content = messages.flatMap((message): ContentBlock[] => {
          const { role, content: block } = isRecord(message) ? message : {};
          const read = readBlock(block);
          return isPlain ? [read] : [{ type: 'text', text: `[${role === 'assistant' ? role : 'user'}]` }, read];
        });
        return { content, isError: false };
      };
    },
  };
}

function textMap(value: unknown): Record<string, string> | undefined {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) return undefined;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key, typeof entry === 'string' ? entry : JSON.stringify(entry)]),
  );
}

function line(uri: string, name: string, mimeType: string | undefined, description: string | undefined): string {
  const kind = mimeType === undefined ? '' : ` [${mimeType}]`;
  return `${uri}${kind} ${description === undefined ? name : `${name}: ${description}`}`;
}

function fits(patterns: readonly string[] | undefined, name: string): boolean {
  return patterns === undefined || patterns.some((pattern) => globMatch(pattern, name));
}

function contentTool(serverName: string, name: string, description: string, inputSchema: JsonObject): ToolDescriptor {
  return {
    name: `${serverName}__${name}`,
    description,
    inputSchema,
    source: 'mcp',
    serverName,
    remoteName: name,
  };
}
