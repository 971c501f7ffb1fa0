import type { StepKey } from '@/lib/base/ids';
import type { EventOf, RunEvent } from './events';

type Queued = EventOf<'instance.queued'>;

/** What the log says about children, by the step of the call that made them. */
export interface RecordedChildren {
  /**
   * Returns the child that the call of this step made. If there were several attempts, it is the child of the first one.
   */
  childOf(step: StepKey): Queued | undefined;
  /** Children that have started and not ended. */
  readonly openChildren: ReadonlyMap<StepKey, Queued>;
  /** Answers that may be used again, by cache key. */
  readonly answers: ReadonlyMap<string, string>;
}

export function readChildren(log: readonly RunEvent[]): RecordedChildren {
  const children = new Map<string, Queued>();
  const queued = new Map<string, Queued>();
  const openChildren = new Map<StepKey, Queued>();
  const cacheKeys = new Map<string, string>();
  const candidates = new Map<StepKey, { readonly key: string; readonly answer: string }>();
  const answers = new Map<string, string>();

  for (const event of log) {
    switch (event.kind) {
      case 'instance.queued':
        if (event.parentStep === undefined) break;
        queued.set(event.path, event);
        if (event.attempt === undefined) children.set(event.parentStep, event);
        break;
      case 'instance.started': {
        const child = queued.get(event.path);
        if (child?.parentStep !== undefined) openChildren.set(child.parentStep, child);
        if (event.cacheKey !== undefined) cacheKeys.set(event.path, event.cacheKey);
        break;
      }
      case 'instance.ended': {
        const step = queued.get(event.path)?.parentStep;
        if (step === undefined) break;
        openChildren.delete(step);
        const key = cacheKeys.get(event.path);
        if (key !== undefined && event.answer !== undefined) candidates.set(step, { key, answer: event.answer });
        break;
      }
      case 'tool.ended': {
        // An answer may be used again only after the call succeeded, because the child's writes might have been refused.
        const candidate = event.result.isError ? undefined : candidates.get(event.step);
        if (candidate && !answers.has(candidate.key)) answers.set(candidate.key, candidate.answer);
        break;
      }
    }
  }

  return { childOf: (step) => children.get(step), openChildren, answers };
}
