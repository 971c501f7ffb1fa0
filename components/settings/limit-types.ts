import type { Budget, RunLimits } from '@/lib/base/limits';

/** A project whose budget the person may change. */
export interface LimitedProject {
  readonly id: string;
  readonly name: string;
  /** Its own budget. */
  readonly own: (Budget & { readonly byAdministrator: boolean }) | undefined;
  /** What its runs have used this month, in a sentence. */
  readonly used: string;
  /** A sentence for each limit that is nearly used up. */
  readonly warnings: readonly string[];
}

/** What projects may hold, and those that hold most. */
export interface DiskState {
  readonly bytesPerProject: number | null;
  readonly largest: readonly { readonly id: string; readonly name: string; readonly bytes: number }[];
}

/** The limits of the installation. */
export interface CommonLimits {
  readonly runs: RunLimits;
  readonly disk: Pick<DiskState, 'bytesPerProject'>;
  /** The budget of every project. */
  readonly budget: Budget;
}

export interface LimitsState extends CommonLimits {
  readonly disk: DiskState;
  readonly projects: readonly LimitedProject[];
  /** True if the person may change the limits of the installation, and budgets that an administrator has set. */
  readonly administers: boolean;
}

/** Each rejects with an Error whose message users may see. */
export interface LimitServices {
  saveLimits(limits: CommonLimits): Promise<LimitsState>;
  /** Null removes the own budget of the project. */
  saveBudget(project: string, budget: Budget | null): Promise<LimitsState>;
  findProjects(text: string): Promise<{ readonly projects: readonly { readonly id: string; readonly name: string }[] }>;
}
