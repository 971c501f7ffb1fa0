import type { Issue } from '@/lib/base/issue';
import type { Folder } from '@/lib/cards/folder';
import { readingOrder } from '@/lib/cards/project/read-folder';
import { tooComplex } from '@/lib/cards/project/too-complex';
import type { TrialProgress } from './reading-worker';

/**
 * The worker may read for this long, because the page is frozen for about the same time when it reads the folder
 * afterwards.
 */
const seconds = 3;

/**
 * Reads the folder in a web worker, only to see how long that takes. Resolves to `undefined` if the page may read it, or if
 * there are no workers. Resolves to an Issue that names the file if it took too long.
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
