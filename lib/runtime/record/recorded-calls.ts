import type { CorrelationId, InstancePath, StepKey } from '@/lib/base/ids';
import type { EventOf, RunEvent, ToolSource } from './events';
import type { Usage } from './messages';
import { isSample, ordinalOf } from './step-key';
import { endsTaken } from './take-record';

/** Pairs what a model call used with the agent that made it. */
export interface RecordedCall {
  readonly agentName: string;
  readonly model: string;
  readonly usage: Usage;
}

/** What the log says about model calls, tool calls and hooks. */
export interface RecordedCalls {
  /** Every model call that ended, in order. */
  readonly modelCalls: readonly RecordedCall[];
  modelEnd(step: StepKey): EventOf<'model.ended'> | undefined;
  /** Returns the model calls that tool calls of an instance asked for. */
  sampledCalls(path: InstancePath): readonly RecordedCall[];
  toolEnd(step: StepKey): EventOf<'tool.ended'> | undefined;
  hookEnd(step: StepKey): EventOf<'hook.ended'> | undefined;
  /** Returns the number of the attempt that would start now. */
  nextAttempt(step: StepKey): number;
  /** Returns the correlation id of the call of this step, whether it ended or not. */
  correlationOf(step: StepKey): CorrelationId | undefined;
  /** Returns the source of the tool that the call of this step names. */
  sourceOf(step: StepKey): ToolSource | undefined;
  /** True if the call was open at the end of the record that the run took from another one, so that its start is known. */
  isContinued(step: StepKey): boolean;
  /** True if such an open call was asked for before the call of this step, by the same instance. */
  isBehindContinued(step: StepKey): boolean;
}

export function readCalls(log: readonly RunEvent[]): RecordedCalls {
  const agentNames = new Map<string, string>();
  const models = new Map<string, string>();
  const modelCalls: RecordedCall[] = [];
  const modelEnds = new Map<string, EventOf<'model.ended'>>();
  const sampled = new Map<string, RecordedCall[]>();
  const toolEnds = new Map<string, EventOf<'tool.ended'>>();
  const hookEnds = new Map<string, EventOf<'hook.ended'>>();
  const attempts = new Map<string, number>();
  const correlations = new Map<string, CorrelationId>();
  const sources = new Map<string, ToolSource>();
  let continued: ReadonlySet<string> = new Set();
  let isResumed = false;

  for (const event of log) {
    switch (event.kind) {
      case 'instance.queued':
        agentNames.set(event.path, event.agentName);
        break;
      case 'model.started':
        models.set(event.step, event.model);
        attempts.set(event.step, event.attempt);
        break;
      case 'model.ended': {
        const { path, step, usage } = event;
        modelEnds.set(step, event);
        const call = { agentName: agentNames.get(path) ?? '', model: models.get(step) ?? '', usage };
        modelCalls.push(call);
        if (!isSample(step)) break;
        const calls = sampled.get(path);
        if (calls) calls.push(call);
        else sampled.set(path, [call]);
        break;
      }
      case 'tool.started':
        attempts.set(event.step, event.attempt);
        correlations.set(event.step, event.correlationId);
        sources.set(event.step, event.source);
        break;
      case 'tool.ended':
        toolEnds.set(event.step, event);
        break;
      case 'hook.started':
        attempts.set(event.step, event.attempt);
        break;
      case 'hook.ended':
        hookEnds.set(event.step, event);
        break;
      case 'log':
        if (endsTaken(event)) continued = new Set([...sources.keys()].filter((step) => !toolEnds.has(step)));
        break;
      // Each worker that goes on starts open calls anew.
      case 'run.resumed':
        isResumed = true;
        break;
    }
  }

  return {
    modelCalls,
    modelEnd: (step) => modelEnds.get(step),
    sampledCalls: (path) => sampled.get(path) ?? [],
    toolEnd: (step) => toolEnds.get(step),
    hookEnd: (step) => hookEnds.get(step),
    nextAttempt: (step) => (attempts.get(step) ?? 0) + 1,
    correlationOf: (step) => correlations.get(step),
    sourceOf: (step) => sources.get(step),
    isContinued: (step) => !isResumed && continued.has(step),
    isBehindContinued: (step) => [...continued].some((open) => isBefore(open, step)),
  };
}

/** True if both are calls of one instance, and the first one was asked for earlier. */
function isBefore(earlier: string, later: string): boolean {
  const own = earlier.slice(0, earlier.lastIndexOf('#'));
  return later.startsWith(`${own}#`) && (ordinalOf(earlier) ?? 0) < (ordinalOf(later) ?? 0);
}
