/** A model call as a conversation that people read: the request as it went, and the answer. */
import type { Json } from '@/lib/base/json';
import { redactJson, secretKeys } from '@/lib/base/redact';
import type { EventOf } from '@/lib/runtime/record/events';
import { type AssistantMessage, type Message, textOf } from '@/lib/runtime/record/messages';
import type { ModelRequestRecord } from './model-request';
import { payloadText } from './payload-text';
import { shownEvent, shownMessage } from './shown-event';

/** Secrets outside of messages, such as headers among the parameters. */
const isSecret = secretKeys();

export type EntryRole = 'system' | 'user' | 'assistant' | 'tool' | 'answer';

/** One text of the conversation. An assistant message with calls, or a message with several results, has several. */
export interface ConversationEntry {
  readonly role: EntryRole;
  /** `User`, `Calls add_one`, `Result of add_one`, … */
  readonly title: string;
  readonly text: string;
  /** False if the instance's call before had it too. */
  readonly isNew: boolean;
  readonly isError: boolean;
}

/** Returns the entries of a call in the order in which the model reads them, and its answer after them. */
export function conversationOf(
  request: ModelRequestRecord,
  ended: EventOf<'model.ended'> | undefined,
): readonly ConversationEntry[] {
  const names = new Map<string, string>();
  const entries: ConversationEntry[] = [];
  if (request.instruction !== '')
    entries.push({
      role: 'system',
      title: 'System',
      text: request.instruction,
      isNew: request.isInstructionNew,
      isError: false,
    });
  request.messages.forEach((message, place) => {
    for (const entry of entriesOf(shownMessage(message), names))
      entries.push({ ...entry, isNew: place >= request.newFrom });
  });
  for (const entry of answerOf(ended, names)) entries.push({ ...entry, role: 'answer', isNew: true });
  return entries;
}

type Entry = Omit<ConversationEntry, 'isNew'>;

function entriesOf(message: Message, names: Map<string, string>): readonly Entry[] {
  switch (message.role) {
    case 'user':
      return [{ role: 'user', title: 'User', text: textOf(message.content), isError: false }];
    case 'assistant':
      return assistantEntries(message, names);
    case 'tool':
      return message.results.map(({ callId, result }) => ({
        role: 'tool',
        title: `Result of ${names.get(callId) ?? 'a call'}`,
        text: payloadText(textOf(result.content)),
        isError: result.isError,
      }));
  }
}

function assistantEntries(message: AssistantMessage, names: Map<string, string>): readonly Entry[] {
  const entry = (title: string, text: string): Entry => ({ role: 'assistant', title, text, isError: false });
  const text = textOf(message.content);
  return [
    ...(message.reasoning === undefined ? [] : [entry('Reasoning', message.reasoning)]),
    ...(text === '' ? [] : [entry('Assistant', text)]),
    ...message.toolCalls.map((call) => {
      names.set(call.id, call.name);
      return entry(`Calls ${call.name}`, payloadText(call.argumentsText));
    }),
  ];
}

function answerOf(ended: EventOf<'model.ended'> | undefined, names: Map<string, string>): readonly Entry[] {
  const shown = ended && shownEvent(ended);
  if (shown?.kind !== 'model.ended') return [];
  const { message, error, received } = shown;
  if (message !== undefined) return assistantEntries(message, names);
  if (error === undefined) return [];
  const before: readonly Entry[] =
    received === undefined ? [] : [{ role: 'answer', title: 'Broken off', text: received, isError: true }];
  return [...before, { role: 'answer', title: `Error ${error.code}`, text: error.message, isError: true }];
}

/** Returns request and answer as JSON, with the names that the log uses. */
export function modelCallJson(
  call: EventOf<'model.started'>,
  request: ModelRequestRecord,
  ended: EventOf<'model.ended'> | undefined,
): Json {
  const { instruction, messages, tools, params, format } = request;
  const whole = {
    request: {
      model: call.modelName ?? call.model,
      ...(call.provider !== undefined && { provider: call.provider }),
      parameters: params,
      system: instruction,
      messages,
      tools,
      ...(format !== undefined && { responseFormat: format }),
    },
    ...(ended !== undefined && { answer: ended.message ?? ended.error ?? null }),
  };
  // The copy through JSON leaves out fields that are undefined.
  const json: Json = JSON.parse(JSON.stringify(whole));
  return redactJson(json, isSecret);
}
