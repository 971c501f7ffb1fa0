import type { PersonAnswer } from '@/lib/base/pending';
import type { RunError, RunEvent } from '@/lib/runtime/record/events';
import { firstLine, type ToolResult } from '@/lib/runtime/record/messages';
import { shortDecision } from './short-decision';
import { shownDecision } from './shown-event';

type Of<K extends RunEvent['kind']> = Extract<RunEvent, { kind: K }>;
type Keep<K extends RunEvent['kind'], Field extends keyof Of<K>> = Pick<Of<K>, 'seq' | 'at' | 'kind' | Field>;

/**
 * The part of an event that the fold needs. Arguments, results and messages are left out and fetched by `seq` when they are
 * shown. A `RunEvent` is a `SlimEvent`, so both ends fold with one function.
 */
export type SlimEvent =
  | Keep<'run.started', 'runId' | 'correlationId' | 'entryAgent' | 'scripted' | 'leftOut'>
  | Of<'run.resumed'>
  | Keep<'run.suspended', 'open'>
  | Keep<'person.asked', 'path' | 'step' | 'item' | 'what' | 'sentence'>
  | (Keep<'person.answered', 'path' | 'step' | 'item' | 'outcome'> & {
      readonly answer?: Pick<PersonAnswer, 'decision' | 'by'>;
    })
  | Keep<'url.fetched', 'url'>
  | Keep<'run.finished', 'status' | 'error' | 'usage'>
  | Of<'instance.queued'>
  | Keep<'instance.started', 'path' | 'model' | 'maxDisplayInstances'>
  | Keep<'instance.ended', 'path' | 'status' | 'error' | 'usage' | 'cached'>
  | Of<'setup.started'>
  | Of<'setup.ended'>
  | Keep<'model.started', 'path' | 'step' | 'attempt' | 'model' | 'provider' | 'modelName'>
  | Keep<'model.ended', 'path' | 'step' | 'error' | 'usage' | 'firstTokenMs'>
  | Keep<'tool.started', 'path' | 'step' | 'attempt' | 'toolName' | 'source' | 'serverName' | 'correlationId'>
  | (Keep<'tool.ended', 'path' | 'step' | 'cached'> & { readonly result: Pick<ToolResult, 'isError' | 'errorCode'> })
  | Keep<'tool.returned', 'path' | 'step'>
  | Keep<'hook.started', 'path' | 'step' | 'attempt' | 'hook' | 'phase' | 'around'>
  | (Keep<'hook.ended', 'path' | 'step' | 'calledNext' | 'next' | 'error'> & {
      readonly changes: readonly Pick<Of<'hook.ended'>['changes'][number], 'what'>[];
    })
  | Keep<'state.changed', 'path' | 'step' | 'from' | 'outcome' | 'reason'>
  | Keep<'artifact.saved', 'path' | 'step' | 'name' | 'version' | 'space' | 'mimeType' | 'bytes'>
  | Keep<'session.opened', 'path' | 'step' | 'sessionId' | 'mode' | 'version'>
  | Keep<'session.saved', 'path' | 'step' | 'sessionId' | 'version'>
  | Keep<'history.merged', 'path' | 'step' | 'target' | 'agentName'>
  | (Keep<'agent.created', 'path' | 'step'> & { readonly agent: Pick<Of<'agent.created'>['agent'], 'name'> })
  | Of<'workflow.decided'>
  | Of<'groups.activated'>
  | Of<'log'>;

/** The longest log sentence in the live stream, in UTF-16 units. The whole one is fetched by `seq`. */
const logLimit = 400;

/** Returns an event without its payloads. */
export function slimEvent(event: RunEvent): SlimEvent {
  const { seq, at } = event;
  switch (event.kind) {
    case 'run.started': {
      const { kind, runId, correlationId, entryAgent, scripted, leftOut } = event;
      return { seq, at, kind, runId, correlationId, entryAgent, scripted, ...(leftOut && { leftOut }) };
    }
    case 'url.fetched':
      return { seq, at, kind: event.kind, url: event.url };
    case 'run.finished': {
      const { kind, status, error, usage } = event;
      return { seq, at, kind, status, error, usage };
    }
    case 'instance.started': {
      const { kind, path, model, maxDisplayInstances } = event;
      return { seq, at, kind, path, model, maxDisplayInstances };
    }
    case 'instance.ended': {
      const { kind, path, status, error, usage, cached } = event;
      return { seq, at, kind, path, status, error, usage, cached };
    }
    case 'model.started': {
      const { kind, path, step, attempt, model, provider, modelName } = event;
      return { seq, at, kind, path, step, attempt, model, provider, modelName };
    }
    case 'model.ended': {
      const { kind, path, step, error, usage, firstTokenMs } = event;
      return { seq, at, kind, path, step, error, usage, ...(firstTokenMs !== undefined && { firstTokenMs }) };
    }
    case 'tool.started': {
      const { kind, path, step, attempt, toolName, source, serverName, correlationId } = event;
      return { seq, at, kind, path, step, attempt, toolName, source, serverName, correlationId };
    }
    case 'state.changed':
    case 'artifact.saved':
    case 'session.opened':
    case 'session.saved':
    case 'history.merged':
    case 'agent.created':
      return slimChange(event);
    case 'tool.ended': {
      const { kind, path, step, result, cached } = event;
      const { isError, errorCode } = result;
      return { seq, at, kind, path, step, cached, result: { isError, errorCode } };
    }
    case 'workflow.decided':
      return { ...event, decision: shortDecision(shownDecision(event.decision)) };
    case 'tool.returned':
      return { seq, at, kind: event.kind, path: event.path, step: event.step };
    case 'hook.ended': {
      const { kind, path, step, calledNext, next, error } = event;
      const changes = event.changes.map(({ what }) => ({ what }));
      return { seq, at, kind, path, step, calledNext, next, changes, error };
    }
    case 'hook.started': {
      const { kind, path, step, attempt, hook, phase, around } = event;
      return { seq, at, kind, path, step, attempt, hook, phase, around };
    }
    case 'setup.started': {
      const { kind, path, step, what, name } = event;
      return { seq, at, kind, path, step, what, name };
    }
    case 'run.suspended':
    case 'person.asked':
    case 'person.answered':
      return slimWait(event);
    case 'setup.ended':
      return event.error === undefined ? event : { ...event, error: shortError(event.error) };
    case 'log':
      return event.message.length > logLimit ? { ...event, message: `${event.message.slice(0, logLimit)}…` } : event;
    case 'run.resumed':
    case 'groups.activated':
    case 'instance.queued':
      return event;
  }
}

/** Returns what is known of waiting for people without the question's payload. */
function slimWait(event: Of<'run.suspended' | 'person.asked' | 'person.answered'>): SlimEvent {
  const { seq, at } = event;
  switch (event.kind) {
    case 'run.suspended':
      return { seq, at, kind: event.kind, open: event.open };
    case 'person.asked': {
      const { kind, path, step, item, what, sentence } = event;
      return { seq, at, kind, path, step, item, what, sentence };
    }
    case 'person.answered': {
      const { kind, path, step, item, outcome, answer } = event;
      const decided = answer && { decision: answer.decision, by: answer.by };
      return { seq, at, kind, path, step, item, outcome, ...(decided && { answer: decided }) };
    }
  }
}

type Change = Of<
  'state.changed' | 'artifact.saved' | 'session.opened' | 'session.saved' | 'history.merged' | 'agent.created'
>;

/** Returns a change of state, artifacts, sessions, histories or agents without its content. */
function slimChange(event: Change): SlimEvent {
  const { seq, at } = event;
  switch (event.kind) {
    case 'state.changed': {
      const { kind, path, step, from, outcome, reason } = event;
      return { seq, at, kind, path, step, from, outcome, reason };
    }
    case 'artifact.saved': {
      const { kind, path, step, name, version, space, mimeType, bytes } = event;
      return { seq, at, kind, path, step, name, version, space, mimeType, bytes };
    }
    case 'session.opened': {
      const { kind, path, step, sessionId, mode, version } = event;
      return { seq, at, kind, path, step, sessionId, mode, version };
    }
    case 'session.saved': {
      const { kind, path, step, sessionId, version } = event;
      return { seq, at, kind, path, step, sessionId, version };
    }
    case 'history.merged': {
      const { kind, path, step, target, agentName } = event;
      return { seq, at, kind, path, step, target, agentName };
    }
    case 'agent.created': {
      const { kind, path, step, agent } = event;
      return { seq, at, kind, path, step, agent: { name: agent.name } };
    }
  }
}

/** Keeps the line that names the cause. The output of the server is fetched by `seq`. */
function shortError({ code, message }: RunError): RunError {
  const line = firstLine(message);
  return { code, message: line.length > logLimit ? `${line.slice(0, logLimit)}…` : line };
}
