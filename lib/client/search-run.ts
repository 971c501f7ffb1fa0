import * as z from 'zod/mini';
import { getJson } from './ask';

const answer = z.object({ seqs: z.array(z.number()), next: z.optional(z.number()) });

/**
 * Searches what was said in a run: arguments, results, messages. `onFound` gets the numbers of events as they are found. Resolves
 * when the whole run was searched. Rejects with a sentence that users may see, or with the reason for which `signal` was aborted.
 */
export async function searchRun(
  runId: string,
  text: string,
  signal: AbortSignal,
  onFound: (seqs: readonly number[]) => void,
): Promise<void> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const query = new URLSearchParams({ text, after: String(after) });
    const found: z.infer<typeof answer> = await getJson(
      `/api/v1/runs/${encodeURIComponent(runId)}/search?${query}`,
      answer,
      signal,
    );
    if (found.seqs.length > 0) onFound(found.seqs);
    after = found.next;
  }
}
