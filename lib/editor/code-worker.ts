import type { Issue } from '@/lib/base/issue';
import { checkScripts } from '@/lib/cards/check/check-scripts';
import type { CodeUse } from '@/lib/cards/check/code-uses';
import type { Folder } from '@/lib/cards/folder';
import { checkExpectations } from '@/lib/cards/project/expectations';

/** A request to the web worker that parse-code.ts starts. The answer is a list of issues. */
export interface CodeQuestion {
  readonly files: Folder;
  readonly uses: readonly CodeUse[];
}

const say = (issues: readonly Issue[]) => self.postMessage(issues);

self.addEventListener('message', ({ data: { files, uses } }: MessageEvent<CodeQuestion>) => {
  say([...checkScripts(files, uses), ...checkExpectations(files)]);
});
