import { type AlertRule, looksBack } from './alerts';

/** An alert as its dashboard shows it. Times are epoch milliseconds. */
export interface AlertInfo extends AlertRule {
  readonly id: string;
  /** Absent: of the runs of every project. */
  readonly project?: string;
  readonly projectName?: string;
  readonly enabled: boolean;
  /** Since when its figure is above the line. `undefined` while it is fine. */
  readonly raisedAt: number | undefined;
  /** What the last check found. Absent if no run has the figure. */
  readonly value?: number;
  /** Runs, instances or calls in its window. */
  readonly calls: number;
  /** `undefined` before the first check. */
  readonly checkedAt: number | undefined;
  readonly mayChange: boolean;
}

/** Alerts of a dashboard: the first ones, of which the raised ones come first. */
export interface AlertList {
  readonly alerts: readonly AlertInfo[];
  readonly hasMore: boolean;
}

type AlertState = 'off' | 'raised' | 'unchecked' | 'nothing' | 'few' | 'fine';

/** Returns the state that is shown. Where nothing is counted, the figure is not fine: the name may be wrong. */
export function alertState({ enabled, raisedAt, checkedAt, calls, least, figure }: AlertInfo): AlertState {
  if (!enabled) return 'off';
  if (raisedAt !== undefined) return 'raised';
  if (checkedAt === undefined) return 'unchecked';
  if (calls === 0) return 'nothing';
  return looksBack(figure) && calls < least ? 'few' : 'fine';
}
