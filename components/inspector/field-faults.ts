import type { Issue } from '@/lib/base/issue';
import type { Folder } from '@/lib/cards/folder';
import { locateField } from '@/lib/cards/read/locate';
import type { FieldPath } from './card-fields';

/**
 * Returns the first error of each field of a card, by path (`fan_in`, `request_params.temperature`), in the words of the checker.
 * An error belongs to the field whose value it points into. A missing field has the error that asks for it.
 */
export function fieldFaults(
  folder: Folder,
  file: string,
  paths: readonly FieldPath[],
  issues: readonly Issue[],
): ReadonlyMap<string, string> {
  const errors = issues.filter((issue) => issue.file === file && issue.severity === 'error');
  const faults = new Map<string, string>();
  if (errors.length === 0) return faults;
  for (const path of paths) {
    const key = path.join('.');
    const at = locateField(folder, file, path);
    const found = errors.find((issue) =>
      at === undefined
        ? issue.code === 'missing-field' && issue.message.includes(`'${key}'`)
        : !isBefore(issue, at) && !isBefore({ line: at.endLine, column: at.endColumn }, issue),
    );
    if (found !== undefined) faults.set(key, found.message);
  }
  return faults;
}

interface Place {
  readonly line: number;
  readonly column: number;
}

function isBefore(a: Place, b: Place): boolean {
  return a.line < b.line || (a.line === b.line && a.column < b.column);
}
