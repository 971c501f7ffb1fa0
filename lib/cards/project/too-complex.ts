import type { Issue } from '@/lib/base/issue';
import type { Folder } from '@/lib/cards/folder';
import { makeIssue } from '@/lib/cards/read/file-report';

/** The limit that stopped reading a folder, such as "took longer than 5 seconds". */
export type ReadingLimit =
  | { readonly is: 'time'; readonly seconds: number }
  | { readonly is: 'memory'; readonly megabytes: number };

/**
 * Returns the issue of a folder whose reading was stopped at a limit. `file` is the file that was being read. It is
 * `undefined` during the checks between files, and the issue then names the largest text of the folder.
 */
export function tooComplex(folder: Folder, file: string | undefined, limit: ReadingLimit): Issue {
  const how =
    limit.is === 'time'
      ? `took longer than ${limit.seconds} ${limit.seconds === 1 ? 'second' : 'seconds'}`
      : `needed more than ${limit.megabytes} MB of memory`;
  const largest = largestText(folder);
  const place = { file: file ?? largest ?? '', line: 1, column: 1 };
  if (file !== undefined) {
    const text = `Reading '${file}' ${how} and was ended. Make the file smaller or simpler, or take it out of the project.`;
    return makeIssue('too-complex', place, text);
  }
  const hint = largest === undefined ? '' : ` Its largest text is '${largest}'; begin there.`;
  const text = `Reading this folder ${how} and was ended.${hint} Make its files smaller or simpler, or split the project.`;
  return makeIssue('too-complex', place, text);
}

function largestText(folder: Folder): string | undefined {
  let largest: { readonly path: string; readonly length: number } | undefined;
  for (const [path, file] of folder) {
    if (file.kind === 'text' && file.text.length > (largest?.length ?? 0)) largest = { path, length: file.text.length };
  }
  return largest?.path;
}
