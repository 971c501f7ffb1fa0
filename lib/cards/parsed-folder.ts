import type { Issue } from '@/lib/base/issue';
import type { Card } from './card';
import type { FastAgentConfig } from './config';
import type { Settings } from './settings';

/** The role of a file, decided by its name and content. */
export type FileRole =
  | 'card'
  | 'skill'
  | 'config'
  | 'secrets'
  | 'settings'
  | 'fixture'
  | 'code'
  | 'document'
  | 'binary';

/** What is known of a card that cannot be read. */
export interface UnreadCard {
  /** The probable name of its agent. */
  readonly name: string;
  /** True if its text says `default: true`. */
  readonly isDefault: boolean;
}

/** A parsed folder, for the graph, the runtime and the editor. */
export interface ParsedFolder {
  readonly roles: ReadonlyMap<string, FileRole>;
  /**
   * Every readable card, sorted by file. A faulty field has its default value. An unreadable card (YAML error) appears only
   * in `issues` and in `unread`.
   */
  readonly cards: readonly Card[];
  /** The cards that cannot be read, by file. */
  readonly unread: ReadonlyMap<string, UnreadCard>;
  readonly config: FastAgentConfig;
  readonly settings: Settings;
  /** The path of callboard.yaml, if it exists. */
  readonly settingsFile: string | undefined;
  /** The dialect in which the folder's agents are written. `undefined` for AgentCards. */
  readonly dialect?: string;
  /** Functions (`file:function`, by path in the folder) that a card or a chain names and that no file defines. */
  readonly missingCode: ReadonlySet<string>;
  /** Issues sorted by file, line and column. */
  readonly issues: readonly Issue[];
}
