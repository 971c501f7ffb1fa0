import { watch } from 'node:fs';

/** An editor that saves several files at once, or one in several steps, makes one change. */
const settleMs = 150;

/** What no worker runs. */
const ignored = /\.test\.tsx?$|(?:^|\/)(?:generated|testing)\/|(?:^|\/)\.|~$/;

/**
 * Calls `onChange` with the path, within `folder`, of a source that was saved, once for those saved together. Returns what
 * ends it.
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
