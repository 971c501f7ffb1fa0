import * as z from 'zod/mini';
import { type RunState, runStates } from '@/lib/trace/run-state';
import { getJson } from './ask-shape';

/** A run in the bin. Times are epoch milliseconds. */
export interface BinnedRunInfo {
  readonly id: string;
  readonly projectId: string;
  readonly projectName: string;
  readonly agent: string | null;
  readonly status: RunState;
  /** The beginning of its message. */
  readonly message: string;
  readonly createdAt: number;
}

/** What one request deleted. */
export interface DeletionInfo {
  readonly id: string;
  readonly by: string;
  readonly at: number;
  /** When its runs are deleted for good. */
  readonly until: number;
  /** How many of its runs are in the bin. */
  readonly runs: number;
  /** Bytes of their events. */
  readonly bytes: number;
  /** The newest of them. */
  readonly some: readonly BinnedRunInfo[];
}

export interface BinInfo {
  /** How many runs are in it. */
  readonly runs: number;
  /** The newest deletions. */
  readonly deletions: readonly DeletionInfo[];
}

const run: z.ZodMiniType<BinnedRunInfo> = z.object({
  id: z.string(),
  projectId: z.string(),
  projectName: z.string(),
  agent: z.nullable(z.string()),
  status: z.enum(runStates),
  message: z.string(),
  createdAt: z.number(),
});
const bin: z.ZodMiniType<BinInfo> = z.object({
  runs: z.number(),
  deletions: z.array(
    z.object({
      id: z.string(),
      by: z.string(),
      at: z.number(),
      until: z.number(),
      runs: z.number(),
      bytes: z.number(),
      some: z.array(run),
    }),
  ),
});

/** Returns the deleted runs that can still be restored. Rejects with a `RequestError`. */
export async function readBin(): Promise<BinInfo> {
  return await getJson('/api/v1/runs/bin', bin);
}
