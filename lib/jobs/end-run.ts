import type { Clock } from '@/lib/base/clock';
import type { RunId } from '@/lib/base/ids';
import type { RunError, RunStatus } from '@/lib/runtime/record/events';
import { noUsage, type Usage } from '@/lib/runtime/record/messages';
import type { Store } from '@/lib/store/database';
import { createEventWriter } from '@/lib/store/event-writer';
import { type TakenRun, takeRun } from '@/lib/store/take-run';
import { lineOf } from './conversation-line';
import { retryDuringOutage } from './retry-outage';
import type { RunContext } from './run-context';

/**
 * Ends a run without executing it further, because it never began or cannot be continued. Its log still gets a first and a
 * last event. Does nothing when another worker has taken the run since.
 */
export async function endRun(
  store: Store,
  clock: Clock,
  taken: Pick<TakenRun, 'request' | 'epoch' | 'lastSeq' | 'lastAt'>,
  end: { readonly status: RunStatus; readonly error: RunError; readonly usage?: Usage },
): Promise<void> {
  const { request, epoch, lastSeq, lastAt } = taken;
  const runId: RunId = request.runId;
  const writer = createEventWriter(store, runId, {
    startSeq: lastSeq,
    startAt: lastAt,
    epoch,
    clock,
    batchMs: 0,
    line: lineOf(taken),
    onLost: () => undefined,
  });
  if (lastSeq === 0) {
    writer.append({
      kind: 'run.started',
      runId,
      correlationId: request.correlationId,
      entryAgent: request.agent ?? '',
      message: request.message,
      model: request.model,
      scripted: false,
      ...(request.leftOut && { leftOut: request.leftOut }),
      ...(request.marks && { marks: request.marks }),
    });
  }
  writer.append({ kind: 'run.finished', status: end.status, error: end.error, usage: end.usage ?? noUsage });
  await writer.flush();
}

/** Ends a run that cannot be executed because of a fault of Callboard. */
export async function endFailed(
  { store, clock, worker }: Pick<RunContext, 'store' | 'clock' | 'worker'>,
  runId: RunId,
): Promise<void> {
  const taken = await retryDuringOutage(clock, () => takeRun(store, runId, worker));
  if (taken === undefined) return;
  const message = 'Callboard failed while it executed this run. The log of the workers has the details.';
  await endRun(store, clock, taken, { status: 'failed', error: { code: 'internal', message } });
}
