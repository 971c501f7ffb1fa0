import { isRecord, parseJson } from '@/lib/base/json';
import type { Folder } from '@/lib/cards/folder';

/** The settings of a project that everyone shares. `settings.local.json` is a person's own and is not read. */
export const settingsFile = '.claude/settings.json';

/** Returns the settings of the project, as written. `undefined` for a file that is not JSON, so that what it denies is unknown. */
export function projectSettings(folder: Folder): Readonly<Record<string, unknown>> | undefined {
  const file = folder.get(settingsFile);
  if (file === undefined) return {};
  const text = file.kind === 'text' ? file.text.replace(/^\uFEFF/, '') : undefined;
  const value = text?.trim() === '' ? {} : text === undefined ? undefined : parseJson(text);
  return isRecord(value) ? value : undefined;
}
