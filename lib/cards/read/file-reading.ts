import type { Issue } from '@/lib/base/issue';
import type { Dialect, DialectForm, DialectNote, Written } from '@/lib/cards/dialects/form/dialect';
import type { Position } from '@/lib/cards/line-index';
import type { FileRole, UnreadCard } from '@/lib/cards/parsed-folder';
import type { CardReading } from './read-card';
import type { ConfigReading } from './read-config';
import type { FixtureReading } from './read-fixture';
import type { SettingsReading } from './read-settings';

/** One parsed file. It does not depend on other files, so it can be cached by file. */
export interface FileReading {
  readonly role: FileRole;
  readonly issues: readonly Issue[];
  readonly card?: CardReading;
  /** Set for a card that cannot be read. References to its name are not reported as missing. */
  readonly unread?: UnreadCard;
  /** A document that fast-agent would read as a card in a card folder. */
  readonly foreign?: Position & { readonly because: string };
  readonly config?: ConfigReading;
  readonly settings?: SettingsReading;
  readonly fixture?: FixtureReading;
  /** Set for a file that a dialect of another program knows by its place. */
  readonly dialect?: DialectReading;
}

/** What a reading of a file of another program says beside its card or config. */
export interface DialectReading {
  readonly dialect: Dialect;
  /** `undefined` for a file that is kept and not read. */
  readonly form: DialectForm | undefined;
  readonly written: Written;
  readonly notes: readonly DialectNote[];
}
