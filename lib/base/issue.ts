/**
 * Something in a folder that its author can mend. `stage` says who would refuse it: fast-agent's loader, validator or
 * builder (reference: the three checkers disagree, so ours reports their union), or Callboard itself.
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
  /** Names the thing and the next step. */
  readonly message: string;
  /** The agent it concerns, when there is one; lets the canvas mark its node. */
  readonly agent?: string;
}
