import type { Folder } from '@/lib/cards/folder';
import { readFolder } from '@/lib/cards/project/read-folder';
import { projectGraph } from '@/lib/graph/project';

/**
 * A message of the web worker that try-reading.ts starts. It names the file that the worker reads now, or says that all
 * files are read.
 */
export type TrialProgress = { readonly file: number } | { readonly together: true } | { readonly read: true };

const say = (progress: TrialProgress) => self.postMessage(progress);

self.addEventListener('message', ({ data }: MessageEvent<Folder>) => {
  const parsed = readFolder(data, { file: (file) => say({ file }), together: () => say({ together: true }) });
  projectGraph(parsed);
  say({ read: true });
});
