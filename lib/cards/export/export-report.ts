import type { Issue } from '@/lib/base/issue';

/** A sentence for users on something that an export changed or left out. Shown before the download. */
export interface ExportNote {
  /**
   * `moved`: written in another form, with the same effect. `differs`: works differently in fast-agent. `lost`: left out, since
   * fast-agent has no equivalent.
   */
  readonly kind: 'moved' | 'differs' | 'lost';
  /** Path in the project. */
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  readonly message: string;
}

export interface ExportReport {
  /** Sorted by file and line. */
  readonly notes: readonly ExportNote[];
  /** Errors that the loader, validator or builder of fast-agent would still report for the exported folder. */
  readonly problems: readonly Issue[];
}

/** True if nothing was left out and fast-agent would load the folder. */
export function isComplete(report: ExportReport): boolean {
  return report.problems.length === 0 && report.notes.every((note) => note.kind !== 'lost');
}
