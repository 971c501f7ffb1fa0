import { brandAs } from '@/lib/base/ids';
import type { ModelPort, ModelRequest, ModelResponse } from '@/lib/runtime/ports';
import type { DeltaPart } from '@/lib/runtime/record/events';
import type { Message } from '@/lib/runtime/record/messages';

/** Makes a model request for tests: the first turn of `lead`, one user message, no tools. */
export function sampleRequest(changes: Partial<ModelRequest> & { readonly text?: string } = {}): ModelRequest {
  const { text = 'hello', ...rest } = changes;
  return {
    runId: brandAs('run-1'),
    path: brandAs('lead'),
    agentName: 'lead',
    instanceName: 'lead',
    turn: 1,
    step: brandAs('lead#m1'),
    model: 'passthrough',
    instruction: 'Be brief.',
    messages: [userMessage(text)],
    tools: [],
    requestParams: {},
    ...rest,
  };
}

export function userMessage(text: string): Message {
  return { role: 'user', content: [{ type: 'text', text }] };
}

export function assistantMessage(text: string): Message {
  return { role: 'assistant', content: [{ type: 'text', text }], toolCalls: [], stopReason: 'end_turn' };
}

/** Makes the results of one batch, in order, under call ids `c1`, `c2`, …. */
export function toolMessage(...texts: readonly string[]): Message {
  return {
    role: 'tool',
    results: texts.map((text, index) => ({
      callId: brandAs(`c${index + 1}`),
      result: { content: text === '' ? [] : [{ type: 'text', text }], isError: false },
    })),
  };
}

/** Calls a model and collects its text, the pieces of other parts, and log lines. */
export async function ask(
  model: ModelPort,
  request: ModelRequest,
  signal: AbortSignal = new AbortController().signal,
): Promise<{ response: ModelResponse; deltas: string[]; parts: [string, DeltaPart][]; logs: string[] }> {
  const deltas: string[] = [];
  const parts: [string, DeltaPart][] = [];
  const logs: string[] = [];
  const response = await model.complete(request, {
    signal,
    onDelta(text, part) {
      if (part === undefined) deltas.push(text);
      else parts.push([text, part]);
    },
    log: (body) => logs.push(`${body.level} ${body.code}: ${body.message}`),
  });
  return { response, deltas, parts, logs };
}

/** Returns the answer's text and calls in one line, as `text | name(args)`, or an error as `! code: message`. */
export function brief(response: ModelResponse): string {
  if (!response.ok) return `! ${response.error.code}: ${response.error.message}`;
  const text = response.message.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  const calls = response.message.toolCalls.map((call) => `${call.id}=${call.name}(${call.argumentsText})`);
  return [text, ...calls].join(' | ');
}
