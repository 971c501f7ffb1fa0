import type { ParsedFolder } from '@/lib/cards/parsed-folder';

/** The text of a new callboard.yaml. */
export const newSettings = 'version: 1\n';

/** Returns the path of callboard.yaml, also when the folder does not have it yet. */
export function settingsFileOf({ settingsFile }: ParsedFolder): string {
  return settingsFile ?? 'callboard.yaml';
}
