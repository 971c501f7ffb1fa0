import { listOf } from '@/lib/base/check';
import { isRecord } from '@/lib/base/json';
import { getChecked } from './ask';
import { runAddress } from './run-address';

interface Found {
  readonly seqs: readonly number[];
  readonly next?: number;
}

const isNumbers = listOf((value): value is number => typeof value === 'number');

function isFound(value: unknown): value is Found {
  return isRecord(value) && isNumbers(value.seqs) && (value.next === undefined || typeof value.next === 'number');
}

export interface RunQuery {
  readonly runId: string;
  readonly text: string;
  /** Only events with these numbers are searched, at most 500. `undefined` means all. */
  readonly among?: readonly number[] | undefined;
}

/**
 * Searches what was said in a run: arguments, results, messages. `onFound` gets the numbers of events as they are found. Resolves
 * when the whole run was searched. Rejects with a sentence that users may see, or with the reason for which `signal` was aborted.
 */
export async function searchRun(
  { runId, text, among }: RunQuery,
  signal: AbortSignal,
  onFound: (seqs: readonly number[]) => void,
): Promise<void> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const query = new URLSearchParams({ text, after: String(after), ...(among && { among: among.join(',') }) });
    const url: string = `${runAddress(runId)}/search?${query}`;
    const found = await getChecked(url, isFound, signal);
    if (found.seqs.length > 0) onFound(found.seqs);
    after = found.next;
  }
}
