import { type LaneView, lanesFromText, lanesToText, plainView } from '@/components/timeline/lane-view';
import { type TimeWindow, windowFromText, windowToText } from '@/components/timeline/time-window';
import { type RowSort, sortFromText, sortToText } from '@/lib/trace/compare/sort-rows';

export const compareTabs = ['instances', 'agents', 'differences', 'changes'] as const;
export type CompareTab = (typeof compareTabs)[number];

/** The names of the parameters beside `a` and `b`, the ids of the runs. */
export const linkNames = ['t', 'step', 'tab', 'sort', 'file', 'ca', 'cb', 'ua', 'ub'] as const;

/**
 * The place of a comparison as its address has it: `t=<from>-<to>` in milliseconds, `step=<event of a>.<event of b>` (the events that
 * began the chosen steps; one may be missing), `tab`, `sort=-time`, `file=<open file>`, and per run the collapsed lanes `ca`, `cb` and those that show all their children `ua`, `ub`.
 */
export type CompareLink = { readonly [Name in (typeof linkNames)[number]]?: string };

/** The chosen steps, by the numbers of the events that began them. */
export interface StepSeqs {
  readonly a: number | undefined;
  readonly b: number | undefined;
}

export interface ComparePlace {
  readonly step: StepSeqs;
  readonly window: TimeWindow | undefined;
  readonly tab: CompareTab;
  readonly sort: RowSort;
  readonly file: string | undefined;
  readonly viewA: LaneView;
  readonly viewB: LaneView;
}

/** Reads a link. A value that cannot be read is as if it were not there. */
export function readCompareLink(link: CompareLink): ComparePlace {
  const view = (collapsed = '', unfolded = ''): LaneView => ({
    ...plainView,
    collapsed: lanesFromText(collapsed),
    unfolded: lanesFromText(unfolded),
  });
  return {
    step: stepFromText(link.step ?? ''),
    window: link.t === undefined ? undefined : windowFromText(link.t),
    tab: compareTabs.find((tab) => tab === link.tab) ?? 'instances',
    sort: sortFromText(link.sort ?? ''),
    file: link.file,
    viewA: view(link.ca, link.ua),
    viewB: view(link.cb, link.ub),
  };
}

/** Returns `url` with this place. Other parameters stay. */
export function withComparePlace(url: URL, place: ComparePlace): URL {
  const { step, window, tab, sort, file, viewA, viewB } = place;
  const values = {
    t: window && windowToText(window),
    step: step.a === undefined && step.b === undefined ? undefined : `${step.a ?? ''}.${step.b ?? ''}`,
    tab: tab === 'instances' ? undefined : tab,
    sort: sort.column === 'order' && !sort.descending ? undefined : sortToText(sort),
    file,
    ca: lanesToText(viewA.collapsed) || undefined,
    cb: lanesToText(viewB.collapsed) || undefined,
    ua: lanesToText(viewA.unfolded) || undefined,
    ub: lanesToText(viewB.unfolded) || undefined,
  } satisfies Record<keyof CompareLink, string | undefined>;
  const next = new URL(url);
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) next.searchParams.delete(name);
    else next.searchParams.set(name, value);
  }
  return next;
}

/** Returns the address of the comparison the other way round, with the same place. */
export function swapped(url: URL): URL {
  const next = new URL(url);
  const { searchParams } = url;
  for (const [one, other] of [
    ['a', 'b'],
    ['ca', 'cb'],
    ['ua', 'ub'],
  ] as const) {
    for (const [name, value] of [
      [one, searchParams.get(other)],
      [other, searchParams.get(one)],
    ] as const) {
      if (value === null) next.searchParams.delete(name);
      else next.searchParams.set(name, value);
    }
  }
  const { a, b } = stepFromText(searchParams.get('step') ?? '');
  if (a !== undefined || b !== undefined) next.searchParams.set('step', `${b ?? ''}.${a ?? ''}`);
  return next;
}

/** The address of a comparison of two runs. */
export function compareHref(a: string, b: string | undefined): string {
  return `/compare?${new URLSearchParams({ a, ...(b !== undefined && { b }) })}`;
}

function stepFromText(text: string): StepSeqs {
  const match = /^([1-9]\d{0,9})?\.([1-9]\d{0,9})?$/.exec(text);
  const seqOf = (found: string | undefined) => (found === undefined ? undefined : Number(found));
  return { a: seqOf(match?.[1]), b: seqOf(match?.[2]) };
}
