import type { RunInfo } from '@/components/run/run-info';
import type { getRun } from '@/lib/server/runs';

type RunDetail = Awaited<ReturnType<typeof getRun>>;

/** A run as components take it: plain data, times in epoch milliseconds. */
export function toRunInfo(run: RunDetail): RunInfo {
  return {
    id: run.id,
    projectId: run.projectId,
    projectName: run.projectName,
    status: run.status,
    entryAgent: run.entryAgent,
    message: run.message,
    model: run.model,
    correlationId: run.correlationId,
    scripted: run.scripted,
    createdAt: run.createdAt.getTime(),
    startedAt: run.startedAt?.getTime(),
    finishedAt: run.finishedAt?.getTime(),
    answer: run.answer,
    error: run.error,
    usage: run.usage,
    modelUsage: run.modelUsage,
    treeHash: run.treeHash,
  };
}
