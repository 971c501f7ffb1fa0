import { type LaneView, laneHeightOf, laneSorts, lanesFromText, lanesToText } from '@/components/timeline/lane-view';
import {
  momentFromText,
  momentToText,
  type TimeWindow,
  windowFromText,
  windowToText,
} from '@/components/timeline/time-window';

export const runTabs = ['result', 'selection', 'graph', 'state', 'log', 'insight'] as const;
export type RunTab = (typeof runTabs)[number];

/**
 * The place of a run page as its address has it: `?span=<event>` (a span is named by the event that opened it, and its
 * result by the event that ended it), `t=<from>-<to>` and `at=<play-head>` in milliseconds, `tab=<open tab>`, `f=<filter>`,
 * `s=<order of lanes>`, `h=<height of lanes>`, `c=<collapsed lanes>`, `u=<lanes that show all their children>`, and `all=1` with the
 * spans of the framework of an imported run.
 */
export interface RunLink {
  readonly span?: string;
  readonly t?: string;
  readonly at?: string;
  readonly tab?: string;
  readonly f?: string;
  readonly s?: string;
  readonly h?: string;
  readonly c?: string;
  readonly u?: string;
  readonly all?: string;
}

/** The names of the parameters. */
export const linkNames = [
  'span',
  't',
  'at',
  'tab',
  'f',
  's',
  'h',
  'c',
  'u',
  'all',
] as const satisfies readonly (keyof RunLink)[];

/** The same values as the page uses them. Times are in microseconds since the origin of the run. */
export interface LinkedPlace {
  /** The number of the event that opened the selected span. */
  readonly seq: number | undefined;
  readonly window: TimeWindow | undefined;
  readonly moment: number | undefined;
  /** The open tab, if it is not the one that the selection opens. */
  readonly tab: RunTab | undefined;
  readonly view: LaneView;
  /** True if the spans of the framework show. */
  readonly allSpans: boolean;
}

/** Reads a link. A value that cannot be read is `undefined`. */
export function readLink(link: RunLink): LinkedPlace {
  return {
    seq: link.span !== undefined && /^[1-9]\d*$/.test(link.span) ? Number(link.span) : undefined,
    window: link.t === undefined ? undefined : windowFromText(link.t),
    moment: link.at === undefined ? undefined : momentFromText(link.at),
    // Links of former versions name the tab `usage`, whose tables are in `insight` now.
    tab: link.tab === 'usage' ? 'insight' : runTabs.find((tab) => tab === link.tab),
    view: {
      filter: link.f ?? '',
      sort: laneSorts.find((sort) => sort === link.s) ?? 'order',
      height: laneHeightOf(link.h),
      collapsed: lanesFromText(link.c ?? ''),
      unfolded: lanesFromText(link.u ?? ''),
    },
    allSpans: link.all === '1',
  };
}

/** Returns `url` with this place. Other parameters stay. */
export function withPlace(url: URL, place: LinkedPlace): URL {
  const { seq, window, moment, tab, view, allSpans } = place;
  const values = {
    span: seq === undefined ? undefined : String(seq),
    t: window === undefined ? undefined : windowToText(window),
    at: moment === undefined ? undefined : momentToText(moment),
    tab: tab === (seq === undefined ? 'result' : 'selection') ? undefined : tab,
    f: view.filter || undefined,
    s: view.sort === 'order' ? undefined : view.sort,
    h: view.height === undefined ? undefined : String(view.height),
    c: lanesToText(view.collapsed) || undefined,
    u: lanesToText(view.unfolded) || undefined,
    all: allSpans ? '1' : undefined,
  } satisfies Record<keyof RunLink, string | undefined>;
  const next = new URL(url);
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) next.searchParams.delete(name);
    else next.searchParams.set(name, value);
  }
  return next;
}
