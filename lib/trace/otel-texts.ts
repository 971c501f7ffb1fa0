import { parseJson } from '@/lib/base/json';
import type { EventOf, RunEvent } from '@/lib/runtime/record/events';
import type { AssistantMessage, ContentBlock, Message } from '@/lib/runtime/record/messages';
import { isSameAs, type RecordedMessage } from '@/lib/runtime/record/recorded-request';
import { consecutiveStep } from '@/lib/runtime/record/step-key';
import { finishWords } from './otel-attributes';
import { type OtlpAttribute, text } from './otlp-json';

/**
 * The texts of a run in the forms of the GenAI semantic conventions. Of a model call these are the messages that its instance's call before
 * did not have, so that a conversation of a hundred calls is exported once and not a hundred times; `callboard.request` says which it goes on from.
 * The events come with their secrets redacted (`shown-event.ts`).
 */
export class OtlpTexts {
  private readonly inputs = new Map<string, string>();
  private readonly answers = new Map<string, AssistantMessage>();
  private readonly results = new Map<string, EventOf<'tool.ended'>>();

  /** Returns the texts of an event as attributes, and keeps those that later requests name. */
  of(event: RunEvent): readonly OtlpAttribute[] {
    switch (event.kind) {
      case 'instance.started':
        this.inputs.set(event.path, event.input);
        return [json('gen_ai.input.messages', [{ role: 'user', parts: [said(event.input)] }])];
      case 'instance.ended':
        return event.answer === undefined
          ? []
          : [json('gen_ai.output.messages', [{ role: 'assistant', parts: [said(event.answer)] }])];
      case 'model.started':
        return this.request(event);
      case 'model.ended':
        if (event.message === undefined) return [];
        this.answers.set(event.step, event.message);
        return [json('gen_ai.output.messages', [inParts(event.message)])];
      case 'tool.ended':
        this.results.set(event.step, event);
        return [];
      default:
        return [];
    }
  }

  private request({ request }: EventOf<'model.started'>): readonly OtlpAttribute[] {
    if (request === undefined) return [];
    const { instruction, tools, added, ...rest } = request;
    const own = {
      ...rest,
      ...(isSameAs(instruction) && { instruction }),
      ...(isSameAs(tools) && { tools }),
      added,
    };
    return [
      json('callboard.request', own),
      json('gen_ai.input.messages', added.flatMap((one) => this.named(one)).map(inParts)),
      ...(isSameAs(instruction) ? [] : [json('gen_ai.system_instructions', [said(instruction)])]),
      ...(isSameAs(tools)
        ? []
        : [
            json(
              'gen_ai.tool.definitions',
              tools.map(({ inputSchema, ...tool }) => ({ type: 'function', ...tool, parameters: inputSchema })),
            ),
          ]),
    ];
  }

  /** Returns the message that a request names. One that has not been seen is left out. */
  private named(recorded: RecordedMessage): readonly Message[] {
    if ('message' in recorded) return [recorded.message];
    if ('input' in recorded) {
      const input = this.inputs.get(recorded.input);
      return input === undefined ? [] : [{ role: 'user', content: [{ type: 'text', text: input }] }];
    }
    if ('answer' in recorded) {
      const answer = this.answers.get(recorded.answer);
      return answer === undefined ? [] : [answer];
    }
    const steps = Array.from({ length: recorded.count }, (_, place) => consecutiveStep(recorded.results, place));
    const results = steps.flatMap((step) => this.results.get(step) ?? []);
    return [{ role: 'tool', results }];
  }
}

function inParts(message: Message): object {
  switch (message.role) {
    case 'user':
      return { role: 'user', parts: message.content.map(blockPart) };
    case 'assistant':
      return {
        role: 'assistant',
        parts: [
          ...(message.reasoning === undefined ? [] : [{ type: 'reasoning', content: message.reasoning }]),
          ...message.content.map(blockPart),
          ...message.toolCalls.map(({ id, name, argumentsText }) => ({
            type: 'tool_call',
            id,
            name,
            arguments: exactly(argumentsText),
          })),
        ],
        finish_reason: finishWords[message.stopReason],
        ...(message.stopReason === 'stop_sequence' && { stop_reason: message.stopReason }),
        ...(message.fromProvider !== undefined && { from_provider: message.fromProvider }),
      };
    case 'tool':
      return {
        role: 'tool',
        parts: message.results.map(({ callId, result }) => ({
          type: 'tool_call_response',
          id: callId,
          response: result.content.map(blockPart),
        })),
      };
  }
}

/** Arguments are a value where the text is the same again. */
function exactly(argumentsText: string): unknown {
  const value = parseJson(argumentsText);
  return value !== undefined && typeof value !== 'string' && JSON.stringify(value) === argumentsText
    ? value
    : argumentsText;
}

/** Blocks that the conventions have no part for stay as they are. */
function blockPart(block: ContentBlock): object {
  if (block.type === 'text') return said(block.text);
  if (block.type !== 'image' && block.type !== 'audio') return block;
  return { type: 'blob', modality: block.type, mime_type: block.mimeType, content: block.data };
}

function said(content: string): object {
  return { type: 'text', content };
}

function json(key: string, value: unknown): OtlpAttribute {
  return text(key, JSON.stringify(value));
}
