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

/** All pages of one of a server's lists. Throws what the SDK throws. */
export async function listAll<K extends keyof Lists>(
  client: Client,
  what: K,
  options: RequestOptions,
): Promise<readonly Lists[K][]> {
  const items: Lists[K][] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const result = await readers[what](client, cursor === undefined ? {} : { cursor }, options);
    items.push(...result.items);
    cursor = result.nextCursor;
    if (!cursor) return items;
  }
  throw new Error(`its list of ${what} does not end after ${maxPages} pages`);
}
