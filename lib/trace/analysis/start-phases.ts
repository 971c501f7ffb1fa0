/**
 * What happened before the first step of a run: before its first model or tool call.
 *
 *   ├─ worker ─┼─ code ─┼──── servers ────┼ other ┤ first step
 *   created    first event
 */
import { spanDetail, type Trace } from '@/lib/trace/trace';

export const startPhases = ['worker', 'code', 'server', 'text', 'hook', 'other'] as const;
export type StartPhase = (typeof startPhases)[number];

export interface RunStart {
  /** When the first step began, in microseconds since the origin; `undefined` if there was none yet. */
  readonly firstStep: number | undefined;
  /** Microseconds of each phase. Together they are the time from the creation of the run to its first step. */
  readonly phases: Readonly<Record<StartPhase, number>>;
}

/**
 * Divides the time before the first step. When servers start beside each other, the time counts once. `createdAt` is the
 * epoch milliseconds at which the run was asked for; the time from then to the first event was spent on waiting for a worker
 * and on preparing the folder. `now` ends what has not ended, in microseconds since the origin.
 */
export function runStart(trace: Trace, createdAt: number | undefined, now: number): RunStart {
  const { spans, origin } = trace;
  let firstStep: number | undefined;
  for (let i = 0; i < spans.length && firstStep === undefined; i++) {
    const kind = spans.kindOf(i);
    if (kind === 'model' || kind === 'tool') firstStep = spans.start.at(i);
  }
  const until = firstStep ?? now;
  const phases: Record<StartPhase, number> = { worker: 0, code: 0, server: 0, text: 0, hook: 0, other: 0 };
  if (createdAt !== undefined && origin !== undefined) phases.worker = Math.max(0, (origin - createdAt) * 1000);
  let reached = 0;
  for (let i = 0; i < spans.length && spans.start.at(i) < until; i++) {
    const phase = phaseOf(trace, i);
    if (phase === undefined) continue;
    const from = Math.max(reached, spans.start.at(i));
    const to = Math.min(spans.end.at(i), until);
    if (to <= from) continue;
    phases.other += from - reached;
    phases[phase] += to - from;
    reached = to;
  }
  phases.other += Math.max(0, until - reached);
  return { firstStep, phases };
}

function phaseOf(trace: Trace, span: number): StartPhase | undefined {
  switch (trace.spans.kindOf(span)) {
    case 'setup': {
      const what = spanDetail(trace, span);
      return what === 'code' || what === 'text' ? what : 'server';
    }
    case 'hook':
      return 'hook';
    default:
      return undefined;
  }
}
