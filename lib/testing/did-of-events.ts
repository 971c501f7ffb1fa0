import { isRecord, type Json, type JsonObject, parseJson } from '@/lib/base/json';
import type { EventOf, RunEvent } from '@/lib/runtime/record/events';
import { type ContentBlock, firstLine } from '@/lib/runtime/record/messages';
import type { RecordedRequest } from '@/lib/runtime/record/recorded-request';

/** What agents did, as `bench/frameworks` notes it where it happens: requests of models with their answers, and calls of a tool. */
export interface Did {
  readonly models: readonly JsonObject[];
  readonly tools: readonly JsonObject[];
}

/**
 * Leaves out what a framework does not record: fields by their names, and with `argument` the name of the only argument. An error is
 * compared by its first line, because some frameworks add the stack.
 */
export function asRecorded({ models, tools }: Did, unrecorded: readonly string[] = []): Did {
  const recorded = (one: JsonObject): JsonObject => {
    const kept = Object.entries(one).filter(([key]) => !unrecorded.includes(key));
    const fields = Object.fromEntries(kept.map(([key, value]) => [key, firstLineOfError(key, value)]));
    return one.error !== undefined && unrecorded.includes('error') ? { ...fields, failed: true } : fields;
  };
  const withArgument = (one: JsonObject) => {
    const given = one.arguments;
    if (!unrecorded.includes('argument') || !isRecord(given)) return one;
    return { ...one, arguments: Object.values(given)[0] ?? null };
  };
  return { models: models.map(recorded), tools: tools.map(withArgument).map(recorded) };
}

function firstLineOfError(key: string, value: Json): Json {
  return key === 'error' && typeof value === 'string' ? firstLine(value) : value;
}

/** Reads what agents did out of the events of a run, in order of time. Calls of agents as tools are left out. */
export function didOfEvents(events: readonly RunEvent[], tool = 'get_weather'): Did {
  const models: JsonObject[] = [];
  const tools: JsonObject[] = [];
  for (const event of events) {
    if (event.kind === 'model.started') models.push(modelOf(event, endOf(events, 'model.ended', event.step)));
    if (event.kind === 'tool.started' && event.toolName === tool) {
      const result = endOf(events, 'tool.ended', event.step)?.result;
      const said = textOf(result?.content ?? []);
      tools.push({ tool, arguments: event.arguments, ...(result?.isError ? { error: said } : { result: said }) });
    }
  }
  return { models, tools };
}

function modelOf(started: EventOf<'model.started'>, ended: EventOf<'model.ended'> | undefined): JsonObject {
  const { model } = started;
  const question = questionIn(started.request?.added ?? []);
  if (ended?.error !== undefined) return { model, question, error: true };
  const { message, usage } = ended ?? {};
  return {
    ...{ model, question, text: textOf(message?.content ?? []) },
    calls: (message?.toolCalls ?? []).map(({ name, argumentsText }) => ({
      name,
      arguments: parseJson(argumentsText) ?? argumentsText,
    })),
    ...{ input: usage?.inputTokens ?? 0, output: usage?.outputTokens ?? 0 },
    ...{ cached: usage?.cachedInputTokens ?? 0, reasoning: usage?.reasoningTokens ?? 0 },
  };
}

function endOf<K extends 'model.ended' | 'tool.ended'>(
  events: readonly RunEvent[],
  kind: K,
  step: string,
): EventOf<K> | undefined {
  return events.find((event): event is EventOf<K> => event.kind === kind && 'step' in event && event.step === step);
}

/** An imported request has its messages in full. */
function questionIn(added: RecordedRequest['added']): string {
  const messages = added.flatMap((one) => ('message' in one ? [one.message] : []));
  const asked = messages.findLast(({ role }) => role === 'user');
  return asked?.role === 'user' ? textOf(asked.content) : '';
}

function textOf(content: readonly ContentBlock[]): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');
}
