import type { RunEvent } from '@/lib/runtime/events';
import type { ToolResult } from '@/lib/runtime/messages';

type Of<K extends RunEvent['kind']> = Extract<RunEvent, { kind: K }>;
type Keep<K extends RunEvent['kind'], Field extends keyof Of<K>> = Pick<Of<K>, 'seq' | 'at' | 'kind' | Field>;

/**
 * What the fold needs of an event, and no more: arguments, results and messages stay behind and are fetched by `seq` when
 * somebody looks at them. A `RunEvent` is a `SlimEvent`, so both ends fold with one function.
 */
export type SlimEvent =
  | Keep<'run.started', 'runId' | 'correlationId' | 'entryAgent' | 'scripted'>
  | Of<'run.resumed'>
  | Keep<'run.finished', 'status' | 'error' | 'usage'>
  | Of<'instance.queued'>
  | Keep<'instance.started', 'path' | 'model'>
  | Keep<'instance.ended', 'path' | 'status' | 'error' | 'usage'>
  | Keep<'model.started', 'path' | 'step' | 'attempt' | 'model'>
  | Keep<'model.ended', 'path' | 'step' | 'error' | 'usage'>
  | Keep<'tool.started', 'path' | 'step' | 'attempt' | 'toolName' | 'source' | 'serverName' | 'correlationId'>
  | (Keep<'tool.ended', 'path' | 'step'> & { readonly result: Pick<ToolResult, 'isError' | 'errorCode'> })
  | Keep<'tool.returned', 'path' | 'step'>
  | Keep<'hook.started', 'path' | 'step' | 'attempt' | 'hook' | 'phase' | 'around'>
  | Keep<'hook.ended', 'path' | 'step' | 'calledNext' | 'error'>
  | Keep<'state.changed', 'path' | 'step' | 'from' | 'outcome'>
  | Keep<'artifact.saved', 'path' | 'step' | 'name' | 'version'>
  | Of<'log'>;

/** Longest log sentence kept in the live stream, in UTF-16 units; the whole one is fetched by `seq`. */
const logLimit = 400;

/** Drops the payloads of an event. */
export function slimEvent(event: RunEvent): SlimEvent {
  const { seq, at } = event;
  switch (event.kind) {
    case 'run.started': {
      const { kind, runId, correlationId, entryAgent, scripted } = event;
      return { seq, at, kind, runId, correlationId, entryAgent, scripted };
    }
    case 'run.finished': {
      const { kind, status, error, usage } = event;
      return { seq, at, kind, status, error, usage };
    }
    case 'instance.started':
      return { seq, at, kind: event.kind, path: event.path, model: event.model };
    case 'instance.ended': {
      const { kind, path, status, error, usage } = event;
      return { seq, at, kind, path, status, error, usage };
    }
    case 'model.started': {
      const { kind, path, step, attempt, model } = event;
      return { seq, at, kind, path, step, attempt, model };
    }
    case 'model.ended': {
      const { kind, path, step, error, usage } = event;
      return { seq, at, kind, path, step, error, usage };
    }
    case 'tool.started': {
      const { kind, path, step, attempt, toolName, source, serverName, correlationId } = event;
      return { seq, at, kind, path, step, attempt, toolName, source, serverName, correlationId };
    }
    case 'state.changed': {
      const { kind, path, step, from, outcome } = event;
      return { seq, at, kind, path, step, from, outcome };
    }
    case 'artifact.saved': {
      const { kind, path, step, name, version } = event;
      return { seq, at, kind, path, step, name, version };
    }
    case 'tool.ended': {
      const { kind, path, step, result } = event;
      return { seq, at, kind, path, step, result: { isError: result.isError, errorCode: result.errorCode } };
    }
    case 'tool.returned':
      return { seq, at, kind: event.kind, path: event.path, step: event.step };
    case 'hook.ended': {
      const { kind, path, step, calledNext, error } = event;
      return { seq, at, kind, path, step, calledNext, error };
    }
    case 'log':
      return event.message.length > logLimit ? { ...event, message: `${event.message.slice(0, logLimit)}…` } : event;
    case 'run.resumed':
    case 'instance.queued':
    case 'hook.started':
      return event;
  }
}
