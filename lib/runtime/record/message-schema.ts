import { z } from 'zod';
import { brandAs, type CallId } from '@/lib/base/ids';
import { isRecord, type Json, type JsonObject } from '@/lib/base/json';
import type { AssistantMessage, ContentBlock, Message, ToolErrorCode, ToolResult, Usage } from './messages';

/** Schemas of messages, results and counts as they are persisted in events and in sessions. */

/** The input was parsed from JSON, so nested values are JSON and are not checked again. */
export const jsonValue = z.custom<Json>((value) => value !== undefined);
export const jsonObject = z.custom<JsonObject>((value) => isRecord(value));

export const callId = z.string().transform((id) => brandAs<CallId>(id));

export const contentBlock: z.ZodType<ContentBlock> = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('image'), data: z.string(), mimeType: z.string() }),
  z.object({ type: z.literal('audio'), data: z.string(), mimeType: z.string() }),
  z.object({
    type: z.literal('resource_link'),
    uri: z.string(),
    name: z.string().optional(),
    mimeType: z.string().optional(),
  }),
  z.object({
    type: z.literal('resource'),
    uri: z.string(),
    mimeType: z.string().optional(),
    text: z.string().optional(),
    blob: z.string().optional(),
  }),
]);

/** Codes are only shown, so an unknown one does not make a record invalid. */
export const errorCode = z.custom<ToolErrorCode>((code) => typeof code === 'string');

export const toolResult: z.ZodType<ToolResult> = z.object({
  content: z.array(contentBlock),
  isError: z.boolean(),
  errorCode: errorCode.optional(),
  structuredContent: jsonValue.optional(),
  meta: z
    .object({
      artifacts: z.custom<Readonly<Record<string, number>>>((value) => isRecord(value)).optional(),
      sessionId: z.string().optional(),
      endsTurn: z.literal(true).optional(),
      edited: z.literal(true).optional(),
    })
    .optional(),
});

export const assistantMessage = z.object({
  role: z.literal('assistant'),
  content: z.array(contentBlock),
  reasoning: z.string().optional(),
  toolCalls: z.array(z.object({ id: callId, name: z.string(), argumentsText: z.string() })),
  stopReason: z.enum(['end_turn', 'tool_use', 'max_tokens', 'stop_sequence', 'safety']),
  fromProvider: z.object({ origin: z.string(), data: jsonObject }).optional(),
}) satisfies z.ZodType<AssistantMessage>;

export const message: z.ZodType<Message> = z.discriminatedUnion('role', [
  z.object({ role: z.literal('user'), content: z.array(contentBlock) }),
  assistantMessage,
  z.object({ role: z.literal('tool'), results: z.array(z.object({ callId, result: toolResult })) }),
]);

export const usage: z.ZodType<Usage> = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cachedInputTokens: z.number(),
  reasoningTokens: z.number(),
  cacheWriteTokens: z.number().optional(),
  modelCalls: z.number(),
  recorded: z
    .object({
      usd: z.number(),
      inputTokens: z.number(),
      outputTokens: z.number(),
      cachedInputTokens: z.number(),
      cacheWriteTokens: z.number(),
    })
    .optional(),
});
