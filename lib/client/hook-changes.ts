import * as z from 'zod/mini';
import { getJson } from './ask-shape';

/** One execution of a hook that changed something, as `GET /api/v1/projects/:id/hook-changes` answers it. */
const change = z.object({
  runId: z.string(),
  at: z.number(),
  path: z.string(),
  startSeq: z.number(),
  seq: z.number(),
  line: z.string(),
});
export type HookChange = z.infer<typeof change>;

const page = z.object({ changes: z.array(change), runs: z.number(), next: z.nullable(z.string()) });
export type HookChangePage = z.infer<typeof page>;

/** Reads a page of what a hook changed in the runs of a project. Rejects with a sentence that users may see. */
export async function listHookChanges(
  projectId: string,
  hook: string,
  after: string | undefined,
): Promise<HookChangePage> {
  const query = new URLSearchParams({ hook, ...(after !== undefined && { after }) });
  return await getJson(`/api/v1/projects/${encodeURIComponent(projectId)}/hook-changes?${query}`, page);
}
