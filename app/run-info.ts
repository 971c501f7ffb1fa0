import { marksOf } from '@/lib/base/run-marks';
import { cutText, wellFormed } from '@/lib/base/well-formed';
import type { RunInfo } from '@/lib/client/run-info';
import type { getRun, listRuns } from '@/lib/server/runs';
import { pageUnits } from '@/lib/trace/text-pages';

type RunDetail = Awaited<ReturnType<typeof getRun>>;
type ListedRun = Awaited<ReturnType<typeof listRuns>>['groups'][number]['runs'][number];

/**
 * Converts a run to the form that components take: plain data, times in epoch milliseconds. Texts of people and models are
 * made well-formed here, so that the server's HTML and the browser's first rendering are equal.
 */
export function toRunInfo(
  run: Omit<ListedRun, 'errors' | 'waitedMs'> &
    Partial<Pick<ListedRun, 'errors' | 'waitedMs'>> &
    Partial<Pick<RunDetail, 'answer' | 'conversationId' | 'isInLine' | 'leftOut' | 'madeAgain'>>,
): RunInfo {
  return {
    id: run.id,
    projectId: run.projectId,
    projectName: run.projectName,
    status: run.status,
    entryAgent: run.entryAgent,
    message: wellFormed(cutText(run.message, pageUnits)),
    model: run.model,
    correlationId: run.correlationId,
    source: run.source,
    scripted: run.scripted,
    createdAt: run.createdAt.getTime(),
    startedAt: run.startedAt?.getTime(),
    finishedAt: run.finishedAt?.getTime(),
    answer: run.answer === undefined ? undefined : wellFormed(cutText(run.answer, pageUnits)),
    ...(Math.max(run.message.length, run.answer?.length ?? 0) > pageUnits && { isCut: true }),
    error: run.error === undefined ? undefined : { ...run.error, message: wellFormed(run.error.message) },
    usage: run.usage,
    failedServers: run.failedServers,
    modelUsage: run.modelUsage,
    treeHash: run.treeHash,
    ...(run.revision !== undefined && { revision: run.revision }),
    ...(run.label !== undefined && { label: run.label }),
    ...(run.draft !== undefined && { draft: run.draft }),
    ...(run.startedBy !== undefined && { startedBy: run.startedBy }),
    ...(run.trigger && { trigger: run.trigger }),
    ...marksOf(run),
    ...(run.errors !== undefined && { errors: run.errors }),
    ...(run.waitedMs !== undefined && { waitedMs: run.waitedMs }),
    ...(run.score && { score: run.score }),
    ...(run.again && { again: run.again }),
    ...(run.conversationId !== undefined && { conversationId: run.conversationId }),
    ...(run.isInLine && { isInLine: true }),
    ...(run.leftOut && run.leftOut.length > 0 && { leftOut: run.leftOut }),
    ...(run.madeAgain &&
      run.madeAgain.length > 0 && {
        madeAgain: run.madeAgain.map(({ id, kind, createdAt }) => ({ id, kind, createdAt: createdAt.getTime() })),
      }),
  };
}
