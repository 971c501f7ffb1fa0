import * as z from 'zod/mini';
import { joinDigests } from '@/lib/trace/compare/run-digests';
import { get } from './ask';
import { getJson } from './ask-shape';

const fileChange = z.object({
  path: z.string(),
  change: z.enum(['added', 'removed', 'changed']),
  before: z.optional(z.string()),
  after: z.optional(z.string()),
  hidden: z.optional(z.enum(['binary', 'large'])),
});
export type FileChange = z.infer<typeof fileChange>;

const changes = z.object({ files: z.array(fileChange) });

/** Loads how the files of run `b` differ from those of run `a`. Rejects with a sentence that users may see. */
export async function loadFileChanges(a: string, b: string, signal: AbortSignal): Promise<readonly FileChange[]> {
  const query = new URLSearchParams({ to: b });
  return (await getJson(`/api/v1/runs/${encodeURIComponent(a)}/changes?${query}`, changes, signal)).files;
}

/**
 * Loads the digests of the events that came after the known ones, until the server has no more. Calls `onMore` with all so far.
 * Rejects with a sentence that users may see, or with the reason for which `signal` was aborted.
 */
export async function loadDigests(
  runId: string,
  known: Uint32Array<ArrayBuffer>,
  signal: AbortSignal,
  onMore: (digests: Uint32Array<ArrayBuffer>) => void,
): Promise<void> {
  for (let digests = known; ; ) {
    const query = new URLSearchParams({ after: String(digests.length) });
    const answer = await get(`/api/v1/runs/${encodeURIComponent(runId)}/digests?${query}`, { signal });
    const bytes = new Uint8Array(await answer.arrayBuffer());
    if (bytes.length === 0) return;
    digests = joinDigests(digests, bytes);
    onMore(digests);
  }
}
