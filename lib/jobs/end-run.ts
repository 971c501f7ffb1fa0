import type { Clock } from '@/lib/base/clock';
import type { RunId } from '@/lib/base/ids';
import type { RunError, RunStatus } from '@/lib/runtime/record/events';
import { noUsage, type Usage } from '@/lib/runtime/record/messages';
import type { Store } from '@/lib/store/database';
import { createEventWriter } from '@/lib/store/event-writer';
import type { TakenRun } from '@/lib/store/take-run';

/**
 * Ends a run without executing (more of) it: nobody ever began it, or it cannot be gone on with. Its log still has a
 * beginning and an end. Does nothing when another worker has taken it since.
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
    });
  }
  writer.append({ kind: 'run.finished', status: end.status, error: end.error, usage: end.usage ?? noUsage });
  await writer.flush();
}
