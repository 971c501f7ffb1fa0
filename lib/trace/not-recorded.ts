import type { ImportedFrom } from '@/lib/runtime/record/events';

/** The member of `imported.attributes` that lists which texts of a step its source does not have, such as `arguments`. */
export const notRecordedKey = 'not_recorded';

export type UnrecordedText = 'input' | 'answer' | 'arguments' | 'result' | 'changes' | 'reasons';

/** Returns which texts of a step the source of an imported run does not have. They are unknown, not empty. */
export function notRecorded(imported: ImportedFrom | undefined): ReadonlySet<string> {
  const list = imported?.attributes[notRecordedKey];
  return new Set(Array.isArray(list) ? list.map(String) : []);
}
