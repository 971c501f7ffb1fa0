import type { Issue } from '@/lib/base/issue';
import type { Folder } from '@/lib/cards/folder';
import { readingOrder } from '@/lib/cards/read-folder';
import { tooComplex } from '@/lib/cards/too-complex';
import type { TrialProgress } from './reading-worker';

/** The page stands still for about as long as the trial took when it then reads the folder itself. */
const seconds = 3;

/**
 * Reads the folder in a thread of its own and throws the result away. Undefined: the page may read it. An Issue: it took too
 * long, and names where. Where there are no threads, the page reads.
 */
export function tryReading(folder: Folder): Promise<Issue | undefined> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL('./reading-worker.ts', import.meta.url), { type: 'module' });
    let place: number | undefined;
    const end = (issue: Issue | undefined) => {
      clearTimeout(timer);
      worker.terminate();
      resolve(issue);
    };
    const timer = setTimeout(() => {
      const file = place === undefined ? undefined : readingOrder(folder)[place];
      end(tooComplex(folder, file, { is: 'time', seconds }));
    }, seconds * 1_000);
    worker.onmessage = ({ data }: MessageEvent<TrialProgress>) => {
      if ('read' in data) end(undefined);
      else place = 'file' in data ? data.file : undefined;
    };
    worker.onerror = () => end(undefined);
    worker.postMessage(folder);
  });
}
