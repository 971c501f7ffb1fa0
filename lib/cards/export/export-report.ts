import type { Issue } from '@/lib/base/issue';

/** What an export changed or could not carry, in one sentence fit to show. Shown before the download. */
export interface ExportNote {
  /**
   * `moved`: written another way, with the same effect. `differs`: it loads, and works otherwise. `lost`: it has no
   * counterpart and is not in the export.
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
  /** Errors that fast-agent's loader, validator or builder would still have with the exported folder. */
  readonly problems: readonly Issue[];
}

/** Nothing was lost and fast-agent would load it. */
export function isComplete(report: ExportReport): boolean {
  return report.problems.length === 0 && report.notes.every((note) => note.kind !== 'lost');
}
