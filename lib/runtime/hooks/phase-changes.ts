import { z } from 'zod';
import type { Json, JsonObject } from '@/lib/base/json';
import { err, ok, type Result } from '@/lib/base/result';
import { valueAdvice } from '@/lib/base/value-advice';
import { callId, contentBlock, errorCode } from '@/lib/runtime/record/message-schema';
import type { AssistantMessage, Message } from '@/lib/runtime/record/messages';
import { answerWithProviderData } from './provider-data';

/** What a phase hook changed. It is read from the port's answer or from the log. */
export interface PhaseChanges {
  readonly message?: Message;
  /** Replaces the messages that the model has read before. Pending messages stay after them. */
  readonly messageHistory?: readonly Message[];
  /** Replaces all messages, pending ones included. Only records of event format 1 have it. */
  readonly conversation?: readonly Message[];
  readonly appendMessages?: readonly Message[];
  /** The values that hooks keep on `ctx.runner`, as the code host wrote them. */
  readonly runner?: JsonObject;
  /** The hook stops the turn until a person decides. What it says about that; empty if it says nothing. */
  readonly stop?: string;
}

const json: z.ZodType<Json> = z.json();

const toolResult = z.object({
  content: z.array(contentBlock),
  isError: z.boolean().default(false),
  errorCode: errorCode.optional(),
  structuredContent: json.optional(),
});

const message = z.discriminatedUnion('role', [
  z.object({ role: z.literal('user'), content: z.array(contentBlock) }),
  z.object({
    role: z.literal('assistant'),
    content: z.array(contentBlock),
    reasoning: z.string().optional(),
    toolCalls: z.array(z.object({ id: callId, name: z.string(), argumentsText: z.string() })).default([]),
    stopReason: z.enum(['end_turn', 'tool_use', 'max_tokens', 'stop_sequence', 'safety']).default('end_turn'),
  }),
  z.object({ role: z.literal('tool'), results: z.array(z.object({ callId, result: toolResult })) }),
]);

const phaseChanges = z
  .object({
    message,
    messageHistory: z.array(message),
    appendMessages: z.array(message),
    runner: z.record(z.string(), json),
    stop: z.string(),
  })
  .partial();

const recordedChanges = phaseChanges.extend({ conversation: z.array(message).optional() });

/** Reads the changes. The error names the value that is not a message. Unknown keys are ignored. */
export function readPhaseChanges(changes: JsonObject): Result<PhaseChanges, string> {
  return read(changes, phaseChanges);
}

/** Reads recorded changes. */
export function readRecordedChanges(changes: JsonObject): Result<PhaseChanges, string> {
  return read(changes, recordedChanges);
}

function read(changes: JsonObject, schema: z.ZodType<PhaseChanges>): Result<PhaseChanges, string> {
  const read = schema.safeParse(changes);
  if (read.success) return ok(read.data);
  const [issue] = read.error.issues;
  return err(
    `it left a value that is not a message: ${issue?.path.join('.') ?? ''}: ${issue === undefined ? '' : valueAdvice(issue, 'an object')}`,
  );
}

/**
 * Returns the assistant's message after a hook. Calls may be changed or removed, and keep their order. A call that the
 * model did not make is not added, because no result could be matched to it.
 */
export function editedAnswer(original: AssistantMessage, changed: Message | undefined): AssistantMessage {
  if (changed?.role !== 'assistant') return original;
  const byId = new Map(changed.toolCalls.map((call) => [call.id, call]));
  const edited = { ...changed, toolCalls: original.toolCalls.flatMap(({ id }) => byId.get(id) ?? []) };
  return answerWithProviderData(edited, original);
}
