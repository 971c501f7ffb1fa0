/**
 * Digests of what the events of a run say, so that two runs can be compared without their contents: arguments, requests, inputs,
 * answers and results. Times, ids, token counts and the reasoning of a model do not count, and one UUID in a text is as good as
 * another, because two equal runs differ in them. A text that the source of an imported run does not have is not compared. Messages are
 * compared as they are shown, with their secrets redacted, because an export has them so.
 */
import { isRecord, type Json, parseJson } from '@/lib/base/json';
import type { EventOf, RunEvent } from '@/lib/runtime/record/events';
import type { ContentBlock, Message } from '@/lib/runtime/record/messages';
import { isSameAs, type RecordedMessage, type RecordedRequest } from '@/lib/runtime/record/recorded-request';
import { notRecorded, type UnrecordedText } from '@/lib/trace/not-recorded';
import { shownEvent } from '@/lib/trace/shown-event';

/** The digest of an event that has nothing to compare, and of one that is not known. */
export const NO_DIGEST = 0;

/**
 * Makes the digests of one run. It is given all events in order, because a model call names an earlier call with the same
 * instruction or tools instead of repeating them.
 */
export class StepDigester {
  private readonly instructions = new Map<string, number>();
  private readonly tools = new Map<string, number>();
  /** What is not recorded of steps and instances that have not ended. */
  private readonly unrecorded = new Map<string, ReadonlySet<string>>();

  /** Returns the digest of an event, from 1 to 2³²-1, or `NO_DIGEST`. */
  add(event: RunEvent): number {
    return this.isRecorded(event) ? this.digest(shownEvent(event)) : NO_DIGEST;
  }

  /** False for an event whose text the source of an imported run does not have. */
  private isRecorded(event: RunEvent): boolean {
    const text = texts[event.kind];
    const key = 'step' in event ? event.step : 'path' in event ? event.path : undefined;
    if (key === undefined) return true;
    const missing = notRecorded(event.imported);
    if (missing.size > 0) this.unrecorded.set(key, missing);
    const isMissing = text !== undefined && this.unrecorded.get(key)?.has(text) === true;
    if (event.kind.endsWith('.ended')) this.unrecorded.delete(key);
    return !isMissing;
  }

  private digest(event: RunEvent): number {
    switch (event.kind) {
      case 'instance.started':
        return digestOf([event.input, event.state ?? null]);
      case 'instance.ended':
        return digestOf([event.status, event.answer ?? null, event.error?.code ?? null, event.error?.message ?? null]);
      case 'model.started':
        return event.request === undefined ? NO_DIGEST : this.requestDigest(event, event.request);
      case 'model.ended':
        return digestOf([event.message === undefined ? null : spoken(event.message), event.error ?? null]);
      case 'tool.started':
        return digestOf(event.arguments);
      case 'tool.ended': {
        const { content, isError, errorCode, structuredContent } = event.result;
        return digestOf([blocks(content), isError, errorCode ?? null, structuredContent ?? null]);
      }
      case 'hook.ended':
        return digestOf([event.calledNext, event.changes, event.error ?? null]);
      case 'workflow.decided':
        return digestOf(decided(event));
      default:
        return NO_DIGEST;
    }
  }

  /**
   * What the request names of other events (its input, answers and results) is compared with those events. Of the messages only
   * their kinds count here.
   */
  private requestDigest({ step }: EventOf<'model.started'>, request: RecordedRequest): number {
    return digestOf([
      this.remembered(this.instructions, step, request.instruction),
      this.remembered(this.tools, step, request.tools),
      request.added.map(addedMessage),
      request.params ?? null,
      request.format ?? null,
    ]);
  }

  private remembered(
    known: Map<string, number>,
    step: string,
    value: RecordedRequest['instruction' | 'tools'],
  ): number {
    const digest = isSameAs(value) ? (known.get(value.sameAs) ?? NO_DIGEST) : digestOf(value);
    if (!isSameAs(value)) known.set(step, digest);
    return digest;
  }
}

/** The text that each kind of event has. */
const texts: Partial<Readonly<Record<RunEvent['kind'], UnrecordedText>>> = {
  'instance.started': 'input',
  'instance.ended': 'answer',
  'model.ended': 'answer',
  'tool.started': 'arguments',
  'tool.ended': 'result',
  'hook.ended': 'changes',
  'workflow.decided': 'reasons',
};

function addedMessage(added: RecordedMessage): unknown {
  if ('message' in added) return spoken(added.message);
  if ('results' in added) return ['results', added.count];
  return 'input' in added ? 'input' : 'answer';
}

/** What a message says, without the ids of its calls. */
function spoken(message: Message): unknown {
  switch (message.role) {
    case 'user':
      return ['user', blocks(message.content)];
    case 'assistant':
      return [
        'assistant',
        blocks(message.content),
        message.toolCalls.map((call) => [call.name, parseJson(call.argumentsText) ?? call.argumentsText]),
      ];
    case 'tool':
      return ['tool', message.results.map(({ result }) => [blocks(result.content), result.isError])];
  }
}

function blocks(content: readonly ContentBlock[]): unknown {
  return content.map((block) => (block.type === 'text' ? block.text : block));
}

function decided({ decision }: EventOf<'workflow.decided'>): unknown {
  return decision.what === 'remote_task' ? [decision.what, decision.state] : decision;
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;

/** Returns the digest of a value. The order of the keys of an object does not count. */
function digestOf(value: unknown): number {
  const text = JSON.stringify(value, inOrder) ?? '';
  return hash(text.includes('-') ? text.replace(uuid, 'uuid') : text);
}

function inOrder(_key: string, value: Json): unknown {
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}

/** The 32-bit finalizer of MurmurHash3 over two running products, so that short texts differ in all bits. */
function hash(text: string): number {
  let a = 0x9e3779b9;
  let b = 0x85ebca6b;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul(b ^ unit, 0x5bd1e995);
  }
  let mixed = a ^ (b >>> 15) ^ Math.imul(text.length, 0xc2b2ae35);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0 || 1;
}
