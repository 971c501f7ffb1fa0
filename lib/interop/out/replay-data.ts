/** What the replay page shows. Times are microseconds since `started`, which is in epoch milliseconds. */
export interface ReplayData {
  readonly title: string;
  readonly status: string;
  readonly runId: string;
  readonly started: number;
  readonly end: number;
  /** The rows, top to bottom. `y` and `height` are in CSS pixels. */
  readonly lanes: readonly {
    readonly name: string;
    readonly depth: number;
    readonly y: number;
    readonly height: number;
  }[];
  readonly spans: readonly ReplaySpan[];
  /** Titles and texts by the number of the event. */
  readonly texts: Readonly<Record<number, readonly (readonly [string, string])[]>>;
  /** Events whose texts did not fit. */
  readonly leftOut: number;
}

export interface ReplaySpan {
  /** The row. */
  readonly lane: number;
  readonly kind: string;
  /** The name of its colour in the style of the page. */
  readonly ink: string;
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly status: string;
  /** True if it failed by itself, and did not only pass a failure on. */
  readonly isFailure: boolean;
  /** The place of its bar, in CSS pixels from the first row. */
  readonly y: number;
  readonly height: number;
  readonly tokens: number;
  /** The numbers of its first and last event. */
  readonly parts: readonly number[];
}

/** What is shown: the play-head in microseconds, and the number of the selected span, -1 for none. */
export interface ReplayMoment {
  readonly moment: number;
  readonly selected: number;
}

/*
 * The page has the text of these functions, so each uses nothing from outside itself. They get each other as arguments, because
 * a build gives them other names.
 */

/** Writes a duration, which is given in microseconds. */
export type WriteTime = (us: number) => string;

/** Makes the bars. `select` is called with the span that was clicked. */
export type MakeBars = (
  data: ReplayData,
  into: HTMLElement,
  select: (span: number) => void,
) => { readonly draw: (at: ReplayMoment) => void };

/** Makes the list of steps and the texts of the selected one. */
export type MakeSteps = (
  data: ReplayData,
  into: HTMLElement,
  select: (span: number) => void,
  time: WriteTime,
) => { readonly show: (at: ReplayMoment) => void };
