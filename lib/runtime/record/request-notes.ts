import type { CallId, InstancePath, StepKey } from '@/lib/base/ids';
import type { JsonObject } from '@/lib/base/json';
import type { Message, ToolResult } from './messages';
import type { RecordedMessage, RecordedRequest, RecordedTool, SameAs } from './recorded-request';
import { isSample, ordinalOf } from './step-key';

/** A request that is about to be made. */
export interface RequestToRecord {
  readonly step: StepKey;
  readonly instruction: string;
  readonly messages: readonly Message[];
  readonly tools: readonly RecordedTool[];
  readonly requestParams: JsonObject;
  readonly responseFormat?: RecordedRequest['format'] | undefined;
}

/** The instance that asks, known by its identity. */
export interface Asking {
  readonly spec: { readonly path: InstancePath; readonly input: string };
}

/** Texts and lists of tools are remembered up to this number. A forgotten one is recorded once more. */
const mostRemembered = 200;

/**
 * Makes the record of each request of a run. It knows by identity which event has a message or a result already, so nothing
 * is compared or hashed. A resumed run begins with an empty memory and records a few things twice.
 */
export class RequestNotes {
  private readonly instructions = new Map<string, StepKey>();
  private readonly toolLists = new WeakMap<readonly RecordedTool[], StepKey>();
  private readonly toolTexts = new Map<string, StepKey>();
  private readonly messages = new WeakMap<Message, RecordedMessage>();
  private readonly results = new WeakMap<ToolResult, { readonly step: StepKey; readonly callId: CallId }>();
  private readonly sent = new WeakMap<Asking, { readonly step: StepKey; readonly messages: readonly Message[] }>();

  /** Remembers that `model.ended` of this step has the message. */
  noteAnswer(message: Message, step: StepKey): void {
    this.messages.set(message, { answer: step });
  }

  /** Remembers that `tool.ended` of this step has the result. */
  noteResult(result: ToolResult, step: StepKey, callId: CallId): void {
    this.results.set(result, { step, callId });
  }

  /** Remembers what the call of this step was asked. */
  noteSent(instance: Asking, step: StepKey, messages: readonly Message[]): void {
    this.sent.set(instance, { step, messages: messages.slice() });
  }

  /** Returns the record of a request that is about to be made. */
  record(instance: Asking, question: RequestToRecord): RecordedRequest {
    const { step, messages, requestParams, responseFormat } = question;
    // A call for a server has a conversation of its own, and the instance goes on with the one before.
    const isOwn = !isSample(step);
    const before = isOwn ? this.sent.get(instance) : undefined;
    const count = before === undefined ? 0 : sameStart(before.messages, messages);
    if (isOwn) this.noteSent(instance, step, messages);
    const added: RecordedMessage[] = [];
    for (let index = count; index < messages.length; index += 1) {
      const message = messages[index];
      if (message !== undefined) added.push(this.recordMessage(message, instance));
    }
    return {
      instruction: remembered(this.instructions, question.instruction, step) ?? question.instruction,
      tools: this.recordTools(question.tools, step),
      kept: before !== undefined && count > 0 ? { step: before.step, count } : undefined,
      added,
      params: Object.keys(requestParams).length === 0 ? undefined : requestParams,
      format: responseFormat,
    };
  }

  private recordTools(tools: readonly RecordedTool[], step: StepKey): readonly RecordedTool[] | SameAs {
    if (tools.length === 0) return [];
    const known = this.toolLists.get(tools);
    if (known !== undefined) return { sameAs: known };
    const list = tools.map(({ name, description, inputSchema }): RecordedTool => ({ name, description, inputSchema }));
    const same = remembered(this.toolTexts, JSON.stringify(list), step);
    this.toolLists.set(tools, same?.sameAs ?? step);
    return same ?? list;
  }

  private recordMessage(message: Message, { spec }: Asking): RecordedMessage {
    const known = this.messages.get(message);
    if (known !== undefined) return known;
    const made = (message.role === 'tool' ? this.recordResults(message) : inputOf(message, spec)) ?? { message };
    if (!('message' in made)) this.messages.set(message, made);
    return made;
  }

  /** Names the calls of a message of results, if all are recorded and consecutive. */
  private recordResults({ results }: Extract<Message, { role: 'tool' }>): RecordedMessage | undefined {
    let first: StepKey | undefined;
    let expected = 0;
    for (const { callId, result } of results) {
      const known = this.results.get(result);
      if (known === undefined || known.callId !== callId) return undefined;
      const number = ordinalOf(known.step);
      if (number === undefined || (first !== undefined && number !== expected)) return undefined;
      first ??= known.step;
      expected = number + 1;
    }
    return first === undefined ? undefined : { results: first, count: results.length };
  }
}

function inputOf(message: Message, spec: Asking['spec']): RecordedMessage | undefined {
  if (message.role !== 'user' || message.content.length !== 1) return undefined;
  const [block] = message.content;
  return block?.type === 'text' && block.text === spec.input ? { input: spec.path } : undefined;
}

/** Returns where the same value was recorded, or `undefined` after remembering that it is recorded at this step. */
function remembered(known: Map<string, StepKey>, text: string, step: StepKey): SameAs | undefined {
  const sameAs = known.get(text);
  if (sameAs !== undefined) return { sameAs };
  known.set(text, step);
  if (known.size <= mostRemembered) return undefined;
  // A map keeps the order of its keys, so the first one is the oldest.
  const [oldest] = known.keys();
  if (oldest !== undefined) known.delete(oldest);
  return undefined;
}

/** Counts the messages at the start of both lists that are the same objects. */
function sameStart(a: readonly Message[], b: readonly Message[]): number {
  const end = Math.min(a.length, b.length);
  let count = 0;
  while (count < end && a[count] === b[count]) count += 1;
  return count;
}
