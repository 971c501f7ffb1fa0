import * as z from 'zod/mini';
import { get } from './ask';
import { getJson } from './ask-shape';
import { runAddress } from './run-address';
import type { PartPages } from './run-source';

const entry = z.object({
  role: z.enum(['system', 'user', 'assistant', 'tool', 'answer']),
  title: z.string(),
  text: z.string(),
  /** The UTF-16 units of the whole text; `text` is its beginning. */
  total: z.number(),
  isNew: z.boolean(),
  isError: z.boolean(),
});

const page = z.object({
  /** The number of entries of the whole conversation. */
  count: z.number(),
  /** The number of the first entry here. */
  from: z.number(),
  entries: z.array(entry),
  tools: z.array(z.object({ name: z.string(), description: z.string(), inputSchema: z.record(z.string(), z.json()) })),
  params: z.record(z.string(), z.json()),
  format: z.optional(z.object({ name: z.string(), schema: z.record(z.string(), z.json()) })),
});

const textPage = z.object({ title: z.string(), text: z.string(), offset: z.number(), total: z.number() });

/** Names a model call of a run by the event that started it. Without its answer it is the request alone. */
export interface NamedCall {
  readonly runId: string;
  readonly seq: number;
  readonly withAnswer: boolean;
}

export type CallEntry = z.infer<typeof entry>;
export type CallPage = z.infer<typeof page>;

/**
 * Loads a page of the conversation of a model call; without `from` the last page. Rejects with a sentence that users may see.
 */
export async function loadCallPage(call: NamedCall, from: number | undefined, signal: AbortSignal): Promise<CallPage> {
  return await getJson(callUrl(call, from === undefined ? {} : { from }), page, signal);
}

/** Returns the pages of an entry's text, or `undefined` if the text is whole. */
export function entryPages(call: NamedCall, index: number, { text, total }: CallEntry): PartPages | undefined {
  if (text.length === total) return undefined;
  return pagesOf(call, { entry: index }, total);
}

/** Loads request and answer as JSON. The pages are for what does not fit into the first. */
export async function loadCallJson(
  call: NamedCall,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly pages: PartPages | undefined }> {
  const { text, total } = await getJson(callUrl(call, { as: 'json' }), textPage, signal);
  return { text, pages: text.length === total ? undefined : pagesOf(call, { as: 'json' }, total) };
}

/** The address of request and answer as a JSON file. */
export function jsonHref(call: NamedCall): string {
  return callUrl(call, { as: 'file' });
}

function pagesOf(call: NamedCall, part: Query, total: number): PartPages {
  const href = callUrl(call, { ...part, as: 'file' });
  return {
    total,
    load: (offset) => getJson(callUrl(call, { ...part, offset }), textPage),
    loadWhole: async () => await (await get(href)).text(),
    href,
  };
}

type Query = Readonly<Record<string, string | number>>;

function callUrl({ runId, seq, withAnswer }: NamedCall, query: Query): string {
  const all = Object.entries({ ...query, ...(!withAnswer && { answer: 'no' }) });
  const text = new URLSearchParams(all.map(([name, value]) => [name, String(value)])).toString();
  return `${runAddress(runId)}/model-calls/${seq}${text === '' ? '' : `?${text}`}`;
}
