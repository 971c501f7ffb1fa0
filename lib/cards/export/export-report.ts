import type { Issue } from '@/lib/base/issue';

/** A sentence for users about something that an export changed or left out. It is shown before the download. */
export interface ExportNote {
  /**
   * The effect of the change. `moved`: the setting has another form with the same effect. `differs`: it works differently
   * in fast-agent. `lost`: it is left out, because fast-agent has no equivalent.
   */
  readonly kind: 'moved' | 'differs' | 'lost';
  /** The path in the project. */
  readonly file: string;
  /** Counts from 1. */
  readonly line: number;
  readonly message: string;
}

export interface ExportReport {
  /** Notes sorted by file and line. */
  readonly notes: readonly ExportNote[];
  /** Errors that the loader, validator or builder of fast-agent would still report for the exported folder. */
  readonly problems: readonly Issue[];
}

/** True if nothing was left out and fast-agent would load the folder. */
export function isComplete(report: ExportReport): boolean {
  return report.problems.length === 0 && report.notes.every((note) => note.kind !== 'lost');
}
