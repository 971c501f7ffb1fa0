import * as z from 'zod/mini';
import { isRecord } from '@/lib/base/json';
import { getJson } from '@/lib/client/ask-shape';
import { httpRunSource } from '@/lib/client/run-source';
import { listRuns } from '@/lib/client/runs';
import type { InstructionPreview } from '@/lib/runtime/instruction/instruction-preview';
import type { SurfacePreview } from '@/lib/runtime/surface/surface-preview';
import { decodeTrace } from '@/lib/trace/columns';

/** What the model of an instance saw: requests as recorded, and what was made again from the files of the run. */
export interface RecordedSurface {
  readonly agentName: string;
  readonly requests: readonly RecordedRequest[];
  readonly again?: { readonly surface: SurfacePreview; readonly instruction: InstructionPreview } | undefined;
}

export interface RecordedRequest {
  readonly step: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly model: string;
  readonly messageCount: number;
  readonly tools: readonly string[];
}

/** A run as the choice of runs shows it. */
export interface ListedRun {
  readonly id: string;
  readonly message: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

const request = z.object({
  step: z.string(),
  at: z.number(),
  model: z.string(),
  messageCount: z.number(),
  tools: z.array(z.string()),
});
/** Only the outline is checked. The rest is trusted, because the server made it. */
const again = z.custom<NonNullable<RecordedSurface['again']>>(
  (value) => isRecord(value) && isRecord(value.surface) && isRecord(value.instruction),
);
const recorded: z.ZodMiniType<RecordedSurface> = z.object({
  agentName: z.string(),
  requests: z.array(request),
  again: z.optional(again),
});

/** Rejects with a sentence that users may see, as do the functions below. */
export async function readRecordedSurface(runId: string, instance: string): Promise<RecordedSurface> {
  const query = new URLSearchParams({ instance });
  return await getJson(`/api/v1/runs/${encodeURIComponent(runId)}/surface?${query}`, recorded);
}

/** Lists recent runs of a project, the newest first. */
export async function recentRuns(projectId: string): Promise<readonly ListedRun[]> {
  const { groups } = await listRuns(String(new URLSearchParams({ project: projectId, limit: '20' })), undefined);
  return groups
    .flatMap(({ runs }) => runs)
    .map(({ id, message, createdAt }) => ({ id, message, createdAt }))
    .sort((a, b) => b.createdAt - a.createdAt);
}

/** A list has at most this many instances, the first ones of the run. */
const mostInstances = 1_000;

/** Lists the paths of an agent's instances in a run. */
export async function instancesOf(runId: string, agent: string, signal: AbortSignal): Promise<readonly string[]> {
  const { bytes } = await httpRunSource(runId).loadTrace(signal);
  return decodeTrace(bytes)
    .lanes.filter(({ agentName, state }) => agentName === agent && state !== 'queued')
    .slice(0, mostInstances)
    .map(({ path }) => path);
}
