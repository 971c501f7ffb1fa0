/**
 * Puts the request of a model call together again. `model.started` records only what no other event of the log has; see
 * `lib/runtime/record/recorded-request.ts`.
 */
import type { InstancePath, StepKey } from '@/lib/base/ids';
import type { JsonObject } from '@/lib/base/json';
import type { EventOf, RunEvent } from '@/lib/runtime/record/events';
import type { Message } from '@/lib/runtime/record/messages';
import {
  isSameAs,
  type RecordedMessage,
  type RecordedRequest,
  type RecordedTool,
} from '@/lib/runtime/record/recorded-request';
import { consecutiveStep } from '@/lib/runtime/record/step-key';

export interface ModelRequestRecord {
  readonly instruction: string;
  /** False if the instance's call before had the same. */
  readonly isInstructionNew: boolean;
  readonly tools: readonly RecordedTool[];
  readonly messages: readonly Message[];
  /** The messages before this index were part of the instance's call before. */
  readonly newFrom: number;
  readonly params: JsonObject;
  readonly format: RecordedRequest['format'];
}

/** Events that the request names and that are not among the given ones. */
export interface MissingEvents {
  readonly steps: readonly StepKey[];
  readonly paths: readonly InstancePath[];
}

export type ResolvedRequest =
  | { readonly request: ModelRequestRecord }
  | { readonly missing: MissingEvents }
  /** The log is of a format that does not have requests. */
  | { readonly unrecorded: true };

/**
 * Returns the whole request of a model call from events of its run, or which others are needed. `events` may be in any order,
 * and may hold more than is needed. The events of the call's own past are those before it.
 */
export function resolveRequest(call: EventOf<'model.started'>, events: readonly RunEvent[]): ResolvedRequest {
  if (call.request === undefined) return { unrecorded: true };
  const index = new EventIndex(events, call);
  const instruction = textOf(call.request, index);
  const tools = toolsOf(call.request, index);
  const messages = messagesOf(call, index);
  if (messages === undefined) return { unrecorded: true };
  const missing = index.missing();
  if (missing !== undefined) return { missing };
  return {
    request: {
      instruction,
      isInstructionNew: call.request.kept === undefined || !isSameAs(call.request.instruction),
      tools,
      messages,
      newFrom: call.request.kept?.count ?? 0,
      params: call.request.params ?? {},
      format: call.request.format,
    },
  };
}

/** Events by step and path, and a list of those that were asked for in vain. */
class EventIndex {
  private readonly starts = new Map<string, EventOf<'model.started'>>();
  private readonly answers = new Map<string, EventOf<'model.ended'>>();
  private readonly results = new Map<string, EventOf<'tool.ended'>>();
  private readonly inputs = new Map<string, EventOf<'instance.started'>>();
  private readonly missingSteps = new Set<StepKey>();
  private readonly missingPaths = new Set<InstancePath>();

  constructor(events: readonly RunEvent[], call: EventOf<'model.started'>) {
    for (const event of events) {
      if (event.seq > call.seq) continue;
      if (event.kind === 'model.started') {
        // A step that a crash interrupted has several starts. Others refer to the last one before them.
        const known = this.starts.get(event.step);
        if (known === undefined || known.seq < event.seq) this.starts.set(event.step, event);
      } else if (event.kind === 'model.ended') this.answers.set(event.step, event);
      else if (event.kind === 'tool.ended') this.results.set(event.step, event);
      else if (event.kind === 'instance.started') this.inputs.set(event.path, event);
    }
    this.starts.set(call.step, call);
  }

  started(step: StepKey): EventOf<'model.started'> | undefined {
    return this.starts.get(step) ?? this.miss(step);
  }

  answer(step: StepKey): Message | undefined {
    return (this.answers.get(step) ?? this.miss(step))?.message;
  }

  result(step: StepKey): EventOf<'tool.ended'> | undefined {
    return this.results.get(step) ?? this.miss(step);
  }

  input(path: InstancePath): string {
    const event = this.inputs.get(path);
    if (event === undefined) this.missingPaths.add(path);
    return event?.input ?? '';
  }

  missing(): MissingEvents | undefined {
    if (this.missingSteps.size + this.missingPaths.size === 0) return undefined;
    return { steps: [...this.missingSteps], paths: [...this.missingPaths] };
  }

  private miss(step: StepKey): undefined {
    this.missingSteps.add(step);
  }
}

function textOf({ instruction }: RecordedRequest, index: EventIndex): string {
  if (!isSameAs(instruction)) return instruction;
  const named = index.started(instruction.sameAs)?.request?.instruction;
  return typeof named === 'string' ? named : '';
}

function toolsOf({ tools }: RecordedRequest, index: EventIndex): readonly RecordedTool[] {
  if (!isSameAs(tools)) return tools;
  const named = index.started(tools.sameAs)?.request?.tools;
  return named === undefined || isSameAs(named) ? [] : named;
}

/**
 * Follows the calls that each begin with messages of the one before, back to one that does not. Returns `undefined` if one of
 * them has no recorded request.
 */
function messagesOf(call: EventOf<'model.started'>, index: EventIndex): Message[] | undefined {
  const parts: { readonly added: readonly RecordedMessage[]; readonly kept: number }[] = [];
  const seen = new Set<StepKey>();
  let request = call.request;
  for (let step: StepKey | undefined = call.step; request !== undefined && step !== undefined; ) {
    seen.add(step);
    parts.push({ added: request.added, kept: request.kept?.count ?? 0 });
    step = request.kept?.step;
    if (step === undefined || seen.has(step)) break;
    const before = index.started(step);
    // An instance that began in an older version has calls whose requests are not known.
    if (before !== undefined && before.request === undefined) return undefined;
    request = before?.request;
  }
  const messages: Message[] = [];
  for (const { added, kept } of parts.reverse()) {
    messages.length = Math.min(messages.length, kept);
    for (const one of added) messages.push(readMessage(one, index));
  }
  return messages;
}

function readMessage(recorded: RecordedMessage, index: EventIndex): Message {
  if ('message' in recorded) return recorded.message;
  if ('input' in recorded) return { role: 'user', content: [{ type: 'text', text: index.input(recorded.input) }] };
  if ('answer' in recorded) return index.answer(recorded.answer) ?? nothing;
  const results = Array.from({ length: recorded.count }, (_, i) => index.result(consecutiveStep(recorded.results, i)));
  return {
    role: 'tool',
    results: results.flatMap((event) => (event === undefined ? [] : [{ callId: event.callId, result: event.result }])),
  };
}

/** Stands for a message until its event has been loaded. */
const nothing: Message = { role: 'user', content: [] };
