import * as z from 'zod/mini';
import type { PartKind, PartUses } from '@/lib/base/uses';
import { getJson } from './ask-shape';
import { projectAddress } from './project-address';

const answer = z.object({
  uses: z.array(
    z.object({
      project: z.string(),
      projectName: z.string(),
      isOwn: z.boolean(),
      places: z.array(z.string()),
      agents: z.array(z.string()),
      tests: z.array(z.string()),
      isSame: z.boolean(),
      runs: z.number(),
    }),
  ),
  grants: z.number(),
  earlierRuns: z.number(),
  unread: z.number(),
});

/** Reads where a part of a draft is used, over all projects that the person may read. Rejects with a sentence that users may see. */
export async function readUses(
  project: string,
  part: { readonly kind: PartKind; readonly name: string; readonly draft: string },
): Promise<PartUses> {
  return await getJson(`${projectAddress(project)}/uses?${new URLSearchParams({ ...part })}`, answer);
}
