import type { Json, JsonObject } from '@/lib/base/json';
import type { ProviderReply } from './fake-provider';

/** An answer of Anthropic's Messages, as the provider documents it. */
export interface MessagesAnswer {
  readonly content: readonly JsonObject[];
  readonly stopReason?: string | null;
  readonly usage?: JsonObject;
}

const usual: JsonObject = { input_tokens: 10, output_tokens: 5 };

/** Writes the answer as one JSON object, as for a request without `stream`. */
export function messagesWhole({ content, stopReason = 'end_turn', usage = usual }: MessagesAnswer): ProviderReply {
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content, stop_reason: stopReason };
  return { pieces: [JSON.stringify({ ...message, stop_sequence: null, usage })] };
}

/** Writes the answer as the events of a stream: texts and inputs in pieces, and pings between them. */
export function messagesStream(answer: MessagesAnswer): ProviderReply {
  return { pieces: messagesEvents(answer).map(eventText), headers: { 'content-type': 'text/event-stream' } };
}

/** Returns the events of a stream. */
export function messagesEvents({ content, stopReason = 'end_turn', usage = usual }: MessagesAnswer): JsonObject[] {
  const { output_tokens: outputTokens = 5, ...input } = usage;
  const started = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null };
  return [
    { type: 'message_start', message: { ...started, stop_sequence: null, usage: { ...input, output_tokens: 1 } } },
    { type: 'ping' },
    ...content.flatMap((block, index) => blockEvents(block, index)),
    {
      type: 'message_delta',
      delta: { stop_reason: stopReason, stop_sequence: null },
      usage: { output_tokens: outputTokens, ...details(usage) },
    },
    { type: 'message_stop' },
  ];
}

function details({ output_tokens_details: given }: JsonObject): JsonObject {
  return given === undefined ? {} : { output_tokens_details: given };
}

export function eventText(event: JsonObject): string {
  return `event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`;
}

function blockEvents(block: JsonObject, index: number): JsonObject[] {
  const start = (begun: JsonObject): JsonObject => ({ type: 'content_block_start', index, content_block: begun });
  const delta = (of: JsonObject): JsonObject => ({ type: 'content_block_delta', index, delta: of });
  const stop: JsonObject = { type: 'content_block_stop', index };
  switch (block.type) {
    case 'text':
      return [
        start({ ...block, text: '' }),
        ...halves(block.text).map((text) => delta({ type: 'text_delta', text })),
        stop,
      ];
    case 'thinking':
      return [
        start({ type: 'thinking', thinking: '', signature: '' }),
        ...halves(block.thinking).map((thinking) => delta({ type: 'thinking_delta', thinking })),
        delta({ type: 'signature_delta', signature: block.signature ?? '' }),
        stop,
      ];
    case 'tool_use':
      return [
        start({ ...block, input: {} }),
        delta({ type: 'input_json_delta', partial_json: '' }),
        ...halves(JSON.stringify(block.input ?? {})).map((partial) =>
          delta({ type: 'input_json_delta', partial_json: partial }),
        ),
        stop,
      ];
    default:
      return [start(block), stop];
  }
}

function halves(text: Json | undefined): string[] {
  const whole = typeof text === 'string' ? text : '';
  const middle = Math.ceil(whole.length / 2);
  return [whole.slice(0, middle), whole.slice(middle)].filter((half) => half !== '');
}
