import type { Issue } from '@/lib/base/issue';
import type { ProjectRight } from '@/lib/base/rights';
import type { Sketch } from '@/lib/graph/thumbnail';
import type { RunState } from '@/lib/trace/run-state';

export type ProjectCardData = {
  readonly id: string;
  readonly name: string;
  /** A Date on the server, an ISO date from the API. */
  readonly updatedAt: string | number | Date;
  /** What the person may do in the project. */
  readonly rights: readonly ProjectRight[];
  readonly lastRun?: {
    readonly id: string;
    readonly status: RunState;
    readonly startedAt?: string | number | Date | null;
  };
} & (
  | { readonly state: 'read'; readonly agentCount: number; readonly errorCount: number; readonly sketch: Sketch }
  | { readonly state: 'reading' }
  | { readonly state: 'unreadable'; readonly issue: Issue }
);

export interface ProjectCardPage {
  readonly projects: readonly ProjectCardData[];
  /** The value of `after` for the next page; null on the last page. */
  readonly next: string | null;
  /** The number of projects on all pages. */
  readonly total: number;
}
