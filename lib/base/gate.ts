/*
 * The gate: what is checked before a label is moved to a revision. Each check is a function without effects over facts that were
 * collected before, so a new rule is one more function in a list.
 */

/** What a check found. */
export interface CheckResult {
  readonly id: string;
  readonly ok: boolean;
  /** What was found, and the next step if it is not ok. */
  readonly sentence: string;
  /** Whether an administrator may publish nevertheless. */
  readonly overridable: boolean;
  /** Set while tests are what is missing: they have not run on these files, or are running. */
  readonly tests?: 'not run' | 'running';
}

/** A check of facts. It returns `undefined` if it has nothing to say about them. */
export type Check<Facts> = (facts: Facts) => CheckResult | undefined;

/** Runs checks in their order. */
export function runGate<Facts>(checks: readonly Check<Facts>[], facts: Facts): readonly CheckResult[] {
  return checks.map((check) => check(facts)).filter((result) => result !== undefined);
}

/** Returns the checks that stop a move, with an override or without. */
export function blockers(results: readonly CheckResult[], isOverridden: boolean): readonly CheckResult[] {
  return results.filter(({ ok, overridable }) => !(ok || (isOverridden && overridable)));
}
