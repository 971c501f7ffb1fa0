import { parseExactJson } from '@/lib/base/exact-json';
import type { InstancePath, StepKey } from '@/lib/base/ids';
import type { Json } from '@/lib/base/json';
import type { EventOf, RunEvent } from './events';
import type { ToolResult } from './messages';
import { keyInCall } from './step-key';

/** One instance of a run, as its log tells it: what is needed to run it again alone. */
export interface InstanceRecord {
  readonly agentName: string;
  readonly started: EventOf<'instance.started'>;
  /** `undefined` for the instance with which the run began. */
  readonly caller: CallOfInstance | undefined;
  /** The calls of tools and children by the instance and those below it, in order, as far as they have ended. */
  readonly calls: readonly AnsweredCall[];
  /** The steps of its first model call, whose request has the messages before its input. */
  readonly firstCall: EventOf<'model.started'> | undefined;
}

export interface CallOfInstance {
  readonly agentName: string;
  readonly model: string | undefined;
  readonly toolName: string;
  /** As the model asked; a text if they are no JSON. */
  readonly arguments: Json;
}

/** A call with the answer of its tool, before hooks saw it. */
export interface AnsweredCall {
  readonly tool: string;
  /** The step without the path of the instance: `#t1`, `/helper[1]#t2`. */
  readonly place: string;
  /** As they are shown, so they may be cut. */
  readonly arguments: Json;
  readonly result: ToolResult;
}

/** Reads an instance from a log. Returns `undefined` if the log has no such instance, or it did not start. */
export function readInstanceRecord(log: readonly RunEvent[], path: string): InstanceRecord | undefined {
  const queued = log.find((event) => event.kind === 'instance.queued' && event.path === path);
  const started = log.find((event) => event.kind === 'instance.started' && event.path === path);
  if (queued?.kind !== 'instance.queued' || started?.kind !== 'instance.started') return undefined;
  const firstCall = log.find(
    (event) => event.kind === 'model.started' && event.path === path && !event.step.includes('.'),
  );
  return {
    agentName: queued.agentName,
    started,
    caller: callerOf(log, queued),
    calls: callsBelow(log, path),
    firstCall: firstCall?.kind === 'model.started' ? firstCall : undefined,
  };
}

function callerOf(log: readonly RunEvent[], queued: EventOf<'instance.queued'>): CallOfInstance | undefined {
  const { parent, parentStep, callId } = queued;
  if (parent === undefined || parentStep === undefined) return undefined;
  let agentName = '';
  let model: string | undefined;
  let toolName = '';
  let shown: Json = {};
  let asked: string | undefined;
  for (const event of log) {
    if (event.seq > queued.seq) break;
    if (event.kind === 'instance.queued' && event.path === parent) agentName = event.agentName;
    else if (event.kind === 'instance.started' && event.path === parent) model = event.model;
    else if (event.kind === 'tool.started' && event.step === parentStep) {
      toolName = event.toolName;
      shown = event.arguments;
    } else if (event.kind === 'model.ended' && event.path === parent) {
      asked = event.message?.toolCalls.find((call) => call.id === callId)?.argumentsText;
    }
  }
  // Shown arguments may be cut, so those in the answer of the model come first.
  const whole = asked === undefined ? undefined : parseExactJson(asked);
  return { agentName, model, toolName, arguments: whole ?? shown };
}

function callsBelow(log: readonly RunEvent[], path: string): readonly AnsweredCall[] {
  const isBelow = (one: InstancePath) => one === path || one.startsWith(`${path}/`);
  const returned = new Map<StepKey, ToolResult>();
  const started = new Map<StepKey, EventOf<'tool.started'>>();
  const calls: AnsweredCall[] = [];
  for (const event of log) {
    if (event.kind === 'tool.started' && isBelow(event.path)) started.set(event.step, event);
    else if (event.kind === 'tool.returned' && isBelow(event.path)) returned.set(event.step, event.result);
    else if (event.kind === 'tool.ended' && isBelow(event.path)) {
      const start = started.get(event.step);
      if (start === undefined || event.result.errorCode === 'AGENT_CANCELLED') continue;
      const result = returned.get(keyInCall(event.step, '')) ?? event.result;
      calls.push({ tool: start.toolName, place: event.step.slice(path.length), arguments: start.arguments, result });
    }
  }
  return calls;
}
