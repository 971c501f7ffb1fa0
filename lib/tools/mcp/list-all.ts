import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';
import {
  ListPromptsResultSchema,
  ListResourcesResultSchema,
  ListResourceTemplatesResultSchema,
  ListToolsResultSchema,
  type Prompt,
  type Resource,
  type ResourceTemplate,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js';

const maxPages = 1_000;
/** A list has at most this many items. Without a limit a server could use up the memory. */
const maxItems = 10_000;
/** All pages together have at most this many characters as JSON. */
const maxChars = 32 * 1024 * 1024;

interface Lists {
  readonly tools: Tool;
  readonly prompts: Prompt;
  readonly resources: Resource;
  readonly templates: ResourceTemplate;
}

type Page<T> = { readonly items: readonly T[]; readonly nextCursor: string | undefined };

const readers: {
  [K in keyof Lists]: (client: Client, cursor: object, options: RequestOptions) => Promise<Page<Lists[K]>>;
} = {
  async tools(client, params, options) {
    const { tools: items, nextCursor } = await client.request(
      { method: 'tools/list', params },
      ListToolsResultSchema,
      options,
    );
    return { items, nextCursor };
  },
  async prompts(client, params, options) {
    const { prompts: items, nextCursor } = await client.request(
      { method: 'prompts/list', params },
      ListPromptsResultSchema,
      options,
    );
    return { items, nextCursor };
  },
  async resources(client, params, options) {
    const { resources: items, nextCursor } = await client.request(
      { method: 'resources/list', params },
      ListResourcesResultSchema,
      options,
    );
    return { items, nextCursor };
  },
  async templates(client, params, options) {
    const { resourceTemplates: items, nextCursor } = await client.request(
      { method: 'resources/templates/list', params },
      ListResourceTemplatesResultSchema,
      options,
    );
    return { items, nextCursor };
  },
};

/**
 * Reads all pages of a list, within the time limit that `options` sets for one request. Throws the errors of the SDK. When
 * the list is too long, the message of the error completes a sentence after "because".
 */
export async function listAll<K extends keyof Lists>(
  client: Client,
  what: K,
  options: RequestOptions & { readonly timeout: number },
): Promise<readonly Lists[K][]> {
  const items: Lists[K][] = [];
  const end = performance.now() + options.timeout;
  let chars = 0;
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const timeout = Math.max(1, end - performance.now());
    const result = await readers[what](client, cursor === undefined ? {} : { cursor }, { ...options, timeout });
    chars += JSON.stringify(result.items).length;
    if (items.length + result.items.length > maxItems) throw new Error(`it lists more than ${maxItems} ${what}`);
    if (chars > maxChars) throw new Error(`its list of ${what} is larger than ${maxChars / 1024 / 1024} MiB`);
    for (const item of result.items) items.push(item);
    if (!result.nextCursor) return items;
    if (result.nextCursor === cursor) throw new Error(`its list of ${what} names the same next page again and again`);
    cursor = result.nextCursor;
  }
  throw new Error(`its list of ${what} does not end after ${maxPages} pages`);
}
