/*
 * The gate: what is checked before a label is moved to a revision. Each check is a function without effects over facts that were
 * collected before, so a new rule is one more function in a list.
 */

/** Who may publish past a check with a reason: whoever publishes, admins of the project, or only administrators of the installation. */
export type Overrider = 'publisher' | 'admin' | 'administrator';

/** What a check found. */
export interface Finding {
  readonly id: string;
  readonly ok: boolean;
  /** What was found, and the next step if it is not ok. */
  readonly sentence: string;
  readonly overriddenBy: Overrider;
  /** Set while tests are what is missing: they have not run on these files, or are running. */
  readonly tests?: 'not run' | 'running';
  /** Set while an administrator has to approve what the files start: the hash of their tree. */
  readonly files?: string;
}

/** A finding, as the person gets it who wants to publish. */
export interface CheckResult extends Finding {
  /** Whether this person may publish nevertheless, with a reason. */
  readonly overridable: boolean;
}

/** What a release would find. */
export interface CheckedRelease {
  readonly checks: readonly CheckResult[];
  /** The revision that the label names now; null for none. A release that gives it as `expected` replaces nothing unseen. */
  readonly now: number | null;
  /** Set if a draft needs approvals that are missing. */
  readonly review?: WayToReview;
}

/** Where a draft gets the approvals that it needs. */
export interface WayToReview {
  /** The number of its open review. */
  readonly open?: number;
  /** The names of the others who may approve. */
  readonly reviewers: readonly string[];
}

/** A check of facts. It returns `undefined` if it has nothing to say about them. */
export type Check<Facts> = (facts: Facts) => Finding | undefined;

/** Runs checks in their order, for a person who may override these. */
export function runGate<Facts>(
  checks: readonly Check<Facts>[],
  facts: Facts,
  mayOverride: Readonly<Record<Overrider, boolean>>,
): readonly CheckResult[] {
  return checks.flatMap((check) => {
    const found = check(facts);
    return found === undefined ? [] : [{ ...found, overridable: mayOverride[found.overriddenBy] }];
  });
}

/** Returns the checks that stop a move of the person, with an override or without. */
export function blockers(results: readonly CheckResult[], isOverridden: boolean): readonly CheckResult[] {
  return results.filter(({ ok, overridable }) => !(ok || (isOverridden && overridable)));
}

/** Names who may publish past all of these findings. */
export function overriderWords(failed: readonly Finding[]): string {
  const needed = new Set(failed.map(({ overriddenBy }) => overriddenBy));
  if (needed.has('administrator')) return 'an administrator of the installation';
  return needed.has('admin') ? 'an admin of the project' : 'a reviewer of the project';
}
