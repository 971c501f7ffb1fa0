import type { Issue } from '@/lib/base/issue';
import type { ParseCode } from './code-check';
import type { CodeQuestion } from './code-worker';

/** Code that takes longer is left to the check of the server. */
const seconds = 5;

/**
 * Returns a function that parses code in a web worker, which starts at the first call and keeps what it has parsed. Make one call at a
 * time. Resolves to no issue if the worker fails or takes too long. Never rejects.
 */
export function codeParser(): ParseCode {
  let worker: Worker | undefined;
  return (files, uses) =>
    new Promise((resolve) => {
      worker ??= new Worker(new URL('./code-worker.ts', import.meta.url), { type: 'module' });
      const asked = worker;
      const end = (issues: readonly Issue[]) => {
        clearTimeout(timer);
        resolve(issues);
      };
      const giveUp = () => {
        asked.terminate();
        worker = undefined;
        end([]);
      };
      const timer = setTimeout(giveUp, seconds * 1_000);
      asked.onmessage = ({ data }: MessageEvent<readonly Issue[]>) => end(data);
      asked.onerror = giveUp;
      asked.postMessage({ files, uses } satisfies CodeQuestion);
    });
}
