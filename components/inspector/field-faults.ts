import type { Folder } from '@/lib/cards/folder';
import { type FieldLocation, locateField, locateKey } from '@/lib/cards/read/locate';
import { readFile } from '@/lib/cards/read/read-file';
import type { ShownIssue } from '@/lib/editor/newborn';
import type { FieldPath } from './field-kinds';

/** What the checker says of a field's value. */
export interface FieldFault {
  /** A hint is about what a new card lacks. */
  readonly severity: 'error' | 'warning' | 'hint';
  readonly message: string;
}

/**
 * Returns the first error of each field of a file, otherwise its first warning, by path (`fan_in`,
 * `request_params.temperature`), in the words of the checker. An issue belongs to the field whose value it points into; of
 * fields inside each other to the innermost. It may also point at the key of the field. A missing field has the error that asks for it.
 */
export function fieldFaults(
  folder: Folder,
  file: string,
  paths: readonly FieldPath[],
  issues: readonly ShownIssue[],
): ReadonlyMap<string, FieldFault> {
  const faults = new Map<string, FieldFault>();
  const own = issues.filter((issue) => issue.file === file);
  const levels = ['error', 'warning', 'hint'] as const;
  const free = new Set(levels.flatMap((level) => own.filter((issue) => levelOf(issue) === level)));
  if (free.size === 0) return faults;
  for (const path of [...paths].sort((a, b) => b.length - a.length)) {
    const key = path.join('.');
    const at = [locateField(folder, file, path), locateKey(folder, file, path)].filter((place) => place !== undefined);
    for (const issue of free) {
      // A missing field is reported at the type, and names the field.
      const belongs =
        issue.code === 'missing-field' ? issue.message.includes(`'${key}'`) : at.some((place) => isIn(place, issue));
      if (!belongs) continue;
      free.delete(issue);
      const severity = levelOf(issue);
      if (severity !== 'info' && !faults.has(key)) faults.set(key, { severity, message: issue.message });
    }
  }
  return faults;
}

function levelOf({ severity, isHint }: ShownIssue): FieldFault['severity'] | 'info' {
  return isHint ? 'hint' : severity;
}

/**
 * Returns what the checker would say of the value at a path of a new text of a file, if it is an error. It reads this file
 * alone, so that a name is not an error here because its card is missing. Ranges are left out, because a bound can be
 * another field, which the person changes next.
 */
export function faultInText(file: string, text: string, path: FieldPath): string | undefined {
  const entry = { kind: 'text', text } as const;
  const { issues, card, settings } = readFile(file, entry);
  const found = new Set([...issues, ...(card?.issues ?? []), ...(settings?.issues ?? [])]);
  for (const issue of found) if (issue.code === 'out-of-range') found.delete(issue);
  const fault = fieldFaults(new Map([[file, entry]]), file, [path], [...found]).get(path.join('.'));
  return fault?.severity === 'error' ? fault.message : undefined;
}

interface Place {
  readonly line: number;
  readonly column: number;
}

function isIn(place: FieldLocation, at: Place): boolean {
  return !isBefore(at, place) && !isBefore({ line: place.endLine, column: place.endColumn }, at);
}

function isBefore(a: Place, b: Place): boolean {
  return a.line < b.line || (a.line === b.line && a.column < b.column);
}
