/** When runs are deleted. `null` keeps them. */
export interface RetentionRule {
  readonly maxAgeDays: number | null;
  readonly maxBytes: number | null;
}

/** What is kept now, the rules, and what retention deleted last (`at` in epoch milliseconds). */
export interface RetentionState {
  readonly kept: { readonly runs: number; readonly active: number; readonly bytes: number };
  readonly rule: RetentionRule;
  readonly projects: readonly { readonly id: string; readonly name: string; readonly rule: RetentionRule }[];
  readonly report: { readonly at: number; readonly runs: number; readonly bytes: number } | undefined;
}

/** Changes rules. Each function rejects with an Error whose message users may see. */
export interface RetentionServices {
  /** Tells what a rule would delete now, of one project or of all that have no rule of their own. */
  readonly preview: (
    rule: RetentionRule,
    project?: string,
  ) => Promise<{ readonly runs: number; readonly bytes: number }>;
  /** Stores a rule. `null` removes that of a project. */
  readonly save: (rule: RetentionRule | null, project?: string) => Promise<RetentionState>;
  readonly findProjects: (
    text: string,
  ) => Promise<{ readonly projects: readonly { readonly id: string; readonly name: string }[] }>;
}
