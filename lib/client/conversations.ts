import * as z from 'zod/mini';
import { type ConversationDetail, type ConversationPage, turnStates } from '@/lib/base/conversation';
import { getJson } from './ask-shape';

const info = {
  id: z.string(),
  agent: z.string(),
  title: z.string(),
  runCount: z.number(),
  status: z.nullable(z.enum(turnStates)),
  updatedAt: z.number(),
};
const next = z.nullable(z.string());
const page: z.ZodMiniType<ConversationPage> = z.object({ conversations: z.array(z.object(info)), next });

const turn = z.object({
  runId: z.string(),
  message: z.string(),
  attachments: z.array(z.object({ name: z.string(), mediaType: z.string(), bytes: z.number() })),
  status: z.enum(turnStates),
  isInLine: z.optional(z.literal(true)),
  answer: z.nullable(z.string()),
  error: z.nullable(z.object({ code: z.string(), message: z.string() })),
  isCut: z.optional(z.literal(true)),
  createdAt: z.number(),
  finishedAt: z.nullable(z.number()),
});
const detail: z.ZodMiniType<ConversationDetail> = z.object({ ...info, turns: z.array(turn), next });

/** Which page of a list: at most `limit` items, from `cursor`, the `next` of the page before. */
export interface PageQuery {
  readonly limit?: number;
  readonly cursor?: string;
}

/** Returns a page of conversations, the one with the newest message first. Rejects with a `RequestError`. */
export async function listConversations(
  project: string,
  query: PageQuery = {},
  signal?: AbortSignal,
): Promise<ConversationPage> {
  return await getJson(`${addressOf(project)}${queryOf(query)}`, page, signal);
}

/** Returns a conversation with its newest turns, or with those before `cursor`. Rejects with a `RequestError`. */
export async function readConversation(
  project: string,
  id: string,
  query: PageQuery = {},
  signal?: AbortSignal,
): Promise<ConversationDetail> {
  return await getJson(`${addressOf(project)}/${encodeURIComponent(id)}${queryOf(query)}`, detail, signal);
}

function addressOf(project: string): string {
  return `/api/v1/projects/${encodeURIComponent(project)}/conversations`;
}

function queryOf({ limit, cursor }: PageQuery): string {
  const query = new URLSearchParams({
    ...(limit !== undefined && { limit: String(limit) }),
    ...(cursor !== undefined && { cursor }),
  });
  return query.size === 0 ? '' : `?${query}`;
}
