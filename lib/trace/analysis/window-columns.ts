import { overlaps, type Stretch } from '@/lib/trace/window-trace';
import type { RunColumns } from './run-columns';

/**
 * Cuts a run to a stretch. Spans keep their numbers; of each the part inside is left, counted from the beginning of the stretch. Spans
 * without a part are marked in `outside`.
 */
export function columnsInWindow(run: RunColumns, asked: Stretch): RunColumns {
  const from = Math.min(Math.max(0, Math.round(asked.from)), run.length);
  const to = Math.min(Math.max(from, Math.round(asked.to)), run.length);
  const cut = (at: number) => Math.min(Math.max(at, from), to) - from;
  const { count } = run;
  const [start, end, outside] = [new Float64Array(count), new Float64Array(count), new Uint8Array(count)];
  const [belowAt, belowFor] = [run.belowAt.slice(), run.belowFor.slice()];
  for (let span = 0; span < count; span++) {
    const [began, ended] = [run.start[span] ?? 0, run.end[span] ?? 0];
    start[span] = cut(began);
    end[span] = cut(ended);
    if (!overlaps({ from, to }, began, ended)) outside[span] = 1;
    const [at, length] = [run.belowAt[span] ?? Number.NaN, run.belowFor[span] ?? Number.NaN];
    if (Number.isNaN(at)) continue;
    const inner = cut(began + at);
    belowAt[span] = inner - cut(began);
    if (!Number.isNaN(length)) belowFor[span] = cut(began + at + length) - inner;
  }
  const lanes = run.lanes.map((lane) => ({
    ...lane,
    queuedAt: cut(lane.queuedAt),
    startedAt: lane.startedAt === undefined ? undefined : cut(lane.startedAt),
    endedAt: lane.endedAt === undefined ? undefined : cut(lane.endedAt),
  }));
  return { ...run, start, end, outside, belowAt, belowFor, lanes, from, length: to - from };
}
