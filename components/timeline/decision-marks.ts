/**
 * Places the marks of decisions in the strip below the bars of a lane, in CSS pixels. Marks that would overlap become one with
 * a count, so that none is hidden.
 *
 *   │ ▓▓▓▓▓▓▓ model ▓▓▓▓▓▓▓  ▓▓▓ tool ▓▓▓ │  bars
 *   │        ╵       ╵  ╵╵╵     ╵         │  a tick at the time of each decision
 *   │       [◆ billing] [● 4]  [★ GOOD]   │  marks: shape and colour, then a word or a count
 */
import { decisionAt } from '@/lib/trace/decision-at';
import type { Lane, Trace } from '@/lib/trace/trace';
import { decisionTop } from './bar-place';
import { type DecisionLook, decisionLook, decisionRank } from './decision-look';
import { TimeAxis, type TimeScale } from './time-scale';
import type { TimeWindow } from './time-window';

export interface DecisionMark {
  /** The decision that stands for all of them. */
  readonly span: number;
  /** All decisions of the mark, in order. */
  readonly spans: readonly number[];
  /** The x of each, where it is in view. */
  readonly ticks: readonly number[];
  /** The box of the mark. */
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly look: Pick<DecisionLook, 'shape' | 'paint'>;
  /** The number of decisions if there are several, otherwise a word right of the box if there is room for it. */
  readonly word: string;
}

export const markPx = 13;
export const tickPx = 4;
const digitPx = 6.5;
export const letterPx = 6;
const gapPx = 1;

interface View {
  readonly trace: Trace;
  readonly window: TimeWindow;
  readonly scale: TimeScale;
  /** The width of the picture. */
  readonly width: number;
}

interface Group {
  readonly spans: number[];
  readonly xs: number[];
  inView: boolean;
  left: number;
  width: number;
}

/** Returns the marks of a lane that are in view, from left to right. `rowTop` is the y of its row. */
export function decisionMarks(
  { trace, window, scale, width }: View,
  lane: Lane,
  rowTop: number,
): readonly DecisionMark[] {
  const axis = new TimeAxis(window, width, scale);
  const groups: Group[] = [];
  // Marks out of view count too: otherwise marks would join in another way with every step of a scroll.
  for (const span of lane.decisions) {
    const x = axis.x(trace.spans.start.at(span));
    let group: Group = { spans: [span], xs: [x], inView: x >= 0 && x <= width, left: 0, width: 0 };
    place(group, width);
    for (let last = groups.at(-1); last !== undefined && touch(last, group); last = groups.at(-1)) {
      groups.pop();
      last.spans.push(...group.spans);
      last.xs.push(...group.xs);
      last.inView ||= group.inView;
      group = last;
      place(group, width);
    }
    groups.push(group);
  }
  const top = rowTop + decisionTop(lane) + tickPx;
  return groups.flatMap(({ spans, xs, left, width: wide }, i): DecisionMark[] => {
    const ticks = xs.filter((x) => x >= 0 && x <= width);
    if (ticks.length === 0 && (left + wide < 0 || left > width)) return [];
    const span = leading(trace, spans);
    const decision = decisionAt(trace, span);
    if (decision === undefined) return [];
    const look = decisionLook(decision);
    const until = Math.min((groups[i + 1]?.left ?? width) - 4, width);
    const word = spans.length > 1 ? String(spans.length) : fitted(look.tag, until - left - wide - 4);
    return [{ span, spans, ticks, left, top, width: wide, look, word }];
  });
}

/** Returns the mark at a point of a lane's row, or `undefined` beside the marks. */
export function markAt(
  view: View,
  lane: Lane,
  rowTop: number,
  x: number,
  y: number,
  slackPx = 2,
): DecisionMark | undefined {
  if (lane.decisions.length === 0 || y < rowTop + decisionTop(lane)) return undefined;
  return decisionMarks(view, lane, rowTop).find(({ left, width, spans, word }) => {
    const beside = spans.length > 1 ? 0 : word.length * letterPx;
    return x >= left - slackPx && x <= left + width + beside + slackPx;
  });
}

/** Sets the box of a mark: about the first tick, and inside the picture as long as one of its ticks is. */
function place(group: Group, pictureWidth: number): void {
  const { spans, xs, inView } = group;
  group.width = markPx + (spans.length > 1 ? Math.ceil(String(spans.length).length * digitPx) + 4 : 0);
  const left = Math.round((xs[0] ?? 0) - markPx / 2);
  group.left = inView ? Math.max(Math.min(left, Math.floor(pictureWidth - group.width)), 0) : left;
}

/** Returns the word, cut to the room, or nothing if too little of it would be left. */
function fitted(word: string, roomPx: number): string {
  const letters = Math.floor(roomPx / letterPx);
  if (letters < Math.min(word.length, 6)) return '';
  return word.length > letters ? `${word.slice(0, letters - 1)}…` : word;
}

function touch(a: Group, b: Group): boolean {
  return b.left < a.left + a.width + gapPx;
}

function leading(trace: Trace, spans: readonly number[]): number {
  let best = spans[0] ?? 0;
  let highest = Number.NEGATIVE_INFINITY;
  for (const span of spans) {
    const decision = decisionAt(trace, span);
    const rank = decision === undefined ? highest : decisionRank(decision);
    if (rank >= highest) [best, highest] = [span, rank];
  }
  return best;
}
