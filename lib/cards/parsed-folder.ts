import type { Issue } from '@/lib/base/issue';
import type { Card } from './card';
import type { FastAgentConfig } from './config';
import type { Settings } from './settings';

/** What a file in the folder is, whatever its name suggests. */
export type FileRole = 'card' | 'skill' | 'config' | 'secrets' | 'settings' | 'code' | 'document' | 'binary';

/** A folder, read: everything the graph, the runtime and the editor need to know of it. */
export interface ParsedFolder {
  readonly roles: ReadonlyMap<string, FileRole>;
  /**
   * Every card that could be read, sorted by file. A card with faults in some fields is here with those fields at their
   * defaults; one that could not be read at all (YAML error) is only in `issues`.
   */
  readonly cards: readonly Card[];
  readonly config: FastAgentConfig;
  readonly settings: Settings;
  /** Path of callboard.yaml, when there is one. */
  readonly settingsFile: string | undefined;
  /** Sorted by file, line, column. */
  readonly issues: readonly Issue[];
}
