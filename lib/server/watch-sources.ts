import { watch } from 'node:fs';

/** The changes are debounced: several saved files, or one file saved in several steps, count as one change. */
const settleMs = 150;

/** Matches files that workers do not run. */
const ignored = /\.test\.tsx?$|(?:^|\/)(?:generated|testing)\/|(?:^|\/)\.|~$/;

/**
 * Calls `onChange` with the path (relative to `folder`) of a changed source, once for several changes at the same time. Returns
 * a function that stops watching.
 */
export function watchSources(folder: string, onChange: (file: string) => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const watcher = watch(folder, { recursive: true }, (_, file) => {
    if (file === null || ignored.test(file)) return;
    clearTimeout(timer);
    timer = setTimeout(() => onChange(file), settleMs);
  });
  return () => {
    clearTimeout(timer);
    watcher.close();
  };
}
