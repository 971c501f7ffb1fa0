import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';
import { isRecord } from '@/lib/base/json';
import { anyResult } from './any-result';
import {
  type ListedPrompt,
  type ListedResource,
  type ListedTemplate,
  type ListedTool,
  type ReadItem,
  readPrompt,
  readResource,
  readTemplate,
  readTool,
} from './list-items';
import { isTimeout, LateError } from './start-failure';

const maxPages = 1_000;
/** A list has at most this many items. Without a limit a server could use up the memory. */
const maxItems = 10_000;
/** All pages together have at most this many characters as JSON. */
const maxChars = 32 * 1024 * 1024;

interface Lists {
  readonly tools: ListedTool;
  readonly prompts: ListedPrompt;
  readonly resources: ListedResource;
  readonly templates: ListedTemplate;
}

interface Kind<T> {
  readonly method: string;
  /** The member of the result that holds the items. */
  readonly member: string;
  /** What one item is called in a sentence. */
  readonly noun: string;
  readonly read: (raw: unknown) => ReadItem<T>;
}

const kinds: { readonly [K in keyof Lists]: Kind<Lists[K]> } = {
  tools: { method: 'tools/list', member: 'tools', noun: 'tool', read: readTool },
  prompts: { method: 'prompts/list', member: 'prompts', noun: 'prompt', read: readPrompt },
  resources: { method: 'resources/list', member: 'resources', noun: 'resource', read: readResource },
  templates: {
    method: 'resources/templates/list',
    member: 'resourceTemplates',
    noun: 'resource template',
    read: readTemplate,
  },
};

/** Says what is wrong with one item of a list. */
export interface ItemFault {
  /** What the item is, with its name, such as `tool 'get'`. */
  readonly item: string;
  /** The end of a sentence. */
  readonly why: string;
  readonly isLeftOut: boolean;
}

/** Returns the sentence that people read of an item with a fault. */
export function faultSentence(server: string, { item, why, isLeftOut }: ItemFault): string {
  const what = isLeftOut ? 'is left out' : 'is offered with changes';
  return `Server '${server}': ${item} ${what}: ${why}. Have it corrected at the server.`;
}

export interface ListedItems<T> {
  readonly items: readonly T[];
  readonly faults: readonly ItemFault[];
  /** How long the list is fresh, in milliseconds, if the server says so (MCP 2026-07-28, Caching): the shortest time of its pages. */
  readonly ttlMs?: number | undefined;
}

/**
 * Reads all pages of a list, within the time limit that `options` sets for one request. Throws the errors of the SDK. When
 * the list is too long or is no list, the message of the error completes a sentence after "because".
 */
export async function listAll<K extends keyof Lists>(
  client: Client,
  what: K,
  options: RequestOptions & { readonly timeout: number },
): Promise<ListedItems<Lists[K]>> {
  const items: Lists[K][] = [];
  const faults: ItemFault[] = [];
  const end = performance.now() + options.timeout;
  const kind: Kind<Lists[K]> = kinds[what];
  let chars = 0;
  let count = 0;
  const cursors = new Set<string>();
  let cursor: string | undefined;
  let ttlMs: number | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const timeout = Math.max(1, end - performance.now());
    const params = cursor === undefined ? {} : { cursor };
    const request = client.request({ method: kind.method, params }, anyResult, { ...options, timeout });
    const result = await request.catch((error: unknown) => {
      if (!isTimeout(error)) throw error;
      const what = page === 0 ? `it did not answer '${kind.method}'` : `its list of ${kind.noun}s did not end`;
      throw new LateError(`${what} within ${options.timeout / 1000} s`);
    });
    const { [kind.member]: listed, nextCursor } = isRecord(result) ? result : { [kind.member]: result };
    // Servers in Go write `null` for an empty list.
    const raws: unknown = listed ?? [];
    if (!Array.isArray(raws)) throw new Error(`its list of ${what} is not a list`);
    chars += JSON.stringify(raws).length;
    count += raws.length;
    if (count > maxItems) throw new Error(`it lists more than ${maxItems} ${what}`);
    if (chars > maxChars) throw new Error(`its list of ${what} is larger than ${maxChars / 1024 / 1024} MiB`);
    for (const raw of raws) takeItem(kind, kind.read(raw), items, faults);
    ttlMs = shorter(ttlMs, isRecord(result) ? result.ttlMs : undefined);
    if (typeof nextCursor !== 'string' || nextCursor === '') return { items, faults, ttlMs };
    if (cursors.has(nextCursor)) throw new Error(`its list of ${what} names the same next page again and again`);
    cursors.add(nextCursor);
    cursor = nextCursor;
  }
  throw new Error(`its list of ${what} does not end after ${maxPages} pages`);
}

/** Returns the shorter of two times, of which the second comes from a server. A negative one counts as 0. */
export function shorter(ms: number | undefined, said: unknown): number | undefined {
  if (typeof said !== 'number' || Number.isNaN(said)) return ms;
  return Math.min(ms ?? Number.POSITIVE_INFINITY, Math.max(0, said));
}

function takeItem<T extends { readonly name: string }>(
  { noun }: Kind<T>,
  read: ReadItem<T>,
  items: T[],
  faults: ItemFault[],
): void {
  if ('why' in read) {
    const item = read.name === undefined ? `a ${noun}` : `${noun} '${read.name}'`;
    faults.push({ item, why: read.why, isLeftOut: true });
    return;
  }
  items.push(read.item);
  if (read.repaired.length === 0) return;
  faults.push({ item: `${noun} '${read.item.name}'`, why: read.repaired.join('; '), isLeftOut: false });
}
