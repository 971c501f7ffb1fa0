import type { MarkNames } from '@/lib/editor/merge-lines';

/** What the two sides of a merge are called. */
export interface SideWords {
  readonly mine: string;
  readonly theirs: string;
  /** Above a part that one side alone changed. */
  readonly byMine: string;
  readonly byTheirs: string;
  /** Between the marks of a text that is edited. */
  readonly marks: MarkNames;
}
