import { isRecord, type Json, type JsonObject } from '@/lib/base/json';
import type { ProviderReply } from './fake-provider';
import { eventText } from './messages-answers';

/** An answer of OpenAI's Responses, as the provider documents it. */
export interface ResponsesAnswer {
  readonly output: readonly JsonObject[];
  readonly status?: string;
  readonly incomplete?: string;
  readonly error?: JsonObject;
  readonly usage?: JsonObject;
}

const usual: JsonObject = {
  input_tokens: 10,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 5,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 15,
};

/** Writes the answer as one JSON object, as for a request without `stream`. */
export function responsesWhole(answer: ResponsesAnswer): ProviderReply {
  return { pieces: [JSON.stringify(responseOf(answer))] };
}

/** Writes the answer as the events of a stream: texts, summaries and arguments in pieces. */
export function responsesStream(answer: ResponsesAnswer): ProviderReply {
  return { pieces: responsesEvents(answer).map(eventText), headers: { 'content-type': 'text/event-stream' } };
}

function responseOf({ output, status = 'completed', incomplete, error, usage = usual }: ResponsesAnswer): JsonObject {
  return {
    id: 'resp_1',
    object: 'response',
    status,
    error: error ?? null,
    incomplete_details: incomplete === undefined ? null : { reason: incomplete },
    output: [...output],
    usage,
  };
}

/** Returns the events of a stream. */
export function responsesEvents(answer: ResponsesAnswer): JsonObject[] {
  const { output, status = 'completed' } = answer;
  const begun: JsonObject = { id: 'resp_1', object: 'response', status: 'in_progress', output: [] };
  const events: JsonObject[] = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    ...output.flatMap((item, index) => itemEvents(item, index)),
    { type: `response.${status}`, response: responseOf(answer) },
  ];
  return events.map((event, index) => ({ ...event, sequence_number: index }));
}

function itemEvents(item: JsonObject, index: number): JsonObject[] {
  const about = { output_index: index, item_id: item.id ?? '' };
  return [
    { type: 'response.output_item.added', output_index: index, item: emptied(item) },
    ...insideOf(item).map((event) => ({ ...event, ...about })),
    { type: 'response.output_item.done', output_index: index, item },
  ];
}

function emptied(item: JsonObject): JsonObject {
  switch (item.type) {
    case 'message':
      return { ...item, status: 'in_progress', content: [] };
    case 'reasoning':
      return { ...item, summary: [] };
    case 'function_call':
      return { ...item, status: 'in_progress', arguments: '' };
    default:
      return item;
  }
}

function insideOf(item: JsonObject): JsonObject[] {
  switch (item.type) {
    case 'message':
      return partsOf(item.content).flatMap((part, at): JsonObject[] => [
        { type: 'response.content_part.added', content_index: at, part: { ...part, text: '' } },
        ...halves(part.text ?? part.refusal).map((delta) => ({
          type: part.type === 'refusal' ? 'response.refusal.delta' : 'response.output_text.delta',
          content_index: at,
          delta,
        })),
        { type: 'response.content_part.done', content_index: at, part },
      ]);
    case 'reasoning':
      return partsOf(item.summary).flatMap((part, at): JsonObject[] => [
        { type: 'response.reasoning_summary_part.added', summary_index: at, part: { ...part, text: '' } },
        ...halves(part.text).map((delta) => ({
          type: 'response.reasoning_summary_text.delta',
          summary_index: at,
          delta,
        })),
        { type: 'response.reasoning_summary_part.done', summary_index: at, part },
      ]);
    case 'function_call':
      return [
        ...halves(item.arguments).map((delta) => ({ type: 'response.function_call_arguments.delta', delta })),
        { type: 'response.function_call_arguments.done', arguments: item.arguments ?? '' },
      ];
    default:
      return [];
  }
}

function partsOf(list: Json | undefined): JsonObject[] {
  return Array.isArray(list) ? list.filter((part): part is JsonObject => isRecord(part)) : [];
}

function halves(text: Json | undefined): string[] {
  const whole = typeof text === 'string' ? text : '';
  const middle = Math.ceil(whole.length / 2);
  return [whole.slice(0, middle), whole.slice(middle)].filter((half) => half !== '');
}
