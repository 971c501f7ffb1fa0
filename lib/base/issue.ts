/**
 * A fault in a folder that its author can correct. `stage` names the checker that would reject it: the loader, validator or
 * builder of fast-agent, or Callboard itself. The checkers of fast-agent differ; Callboard reports what any of them rejects.
 */
export interface Issue {
  /** Stable kebab-case name, e.g. `unknown-field`. Documented in docs/issues.md. */
  readonly code: string;
  readonly severity: 'error' | 'warning' | 'info';
  readonly stage: 'loader' | 'validator' | 'builder' | 'callboard';
  /** Path inside the folder, with forward slashes. */
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  /** 1-based, in UTF-16 units. */
  readonly column: number;
  /** Names the faulty thing and the next step. */
  readonly message: string;
  /** The agent at fault, if any. The canvas marks its node. */
  readonly agent?: string;
}
