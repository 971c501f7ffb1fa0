/**
 * A fault in a folder that its author can correct. `stage` names the checker that would reject it: the loader, validator or
 * builder of fast-agent, or Callboard itself. The checkers of fast-agent differ; Callboard reports what any of them rejects.
 */
export interface Issue {
  /** A stable kebab-case name, such as `unknown-field`. docs/issues.md lists all codes. */
  readonly code: string;
  readonly severity: 'error' | 'warning' | 'info';
  readonly stage: 'loader' | 'validator' | 'builder' | 'callboard';
  /** The path inside the folder, with forward slashes. */
  readonly file: string;
  /** Counts from 1. */
  readonly line: number;
  /** Counts from 1, in UTF-16 units. */
  readonly column: number;
  /** Names the faulty thing and the next step. */
  readonly message: string;
  /** The agent at fault, if any. The canvas marks its node. */
  readonly agent?: string;
}
