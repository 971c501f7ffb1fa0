import { shownStatus } from '@/components/timeline/span-status';
import type { TimelinePicture } from '@/components/timeline/timeline-props';
import { type Status, statusWord } from '@/components/ui/status';
import { tokens } from '@/lib/runtime/record/messages';
import type { Rows } from '@/lib/trace/lanes';
import type { Trace } from '@/lib/trace/trace';
import { formatCount, formatDuration } from '@/lib/trace/wording';

/** The texts around the bars of a picture. */
export interface PictureWords {
  readonly title: string;
  readonly facts: string;
  /** What of the run the picture shows, if it is not all of it. */
  readonly notes: string;
  readonly instances: string;
}

/** Says which run a picture shows, and which part of it. */
export function pictureWords(
  { trace, window, whole, end, now, view, moment }: TimelinePicture,
  rows: Rows,
): PictureWords {
  const { run, origin } = trace;
  const when = origin === undefined ? [] : [dateOf(origin)];
  const used = tokens(run.usage);
  const facts = [statusWord(statusOf(trace)), formatDuration(now), `${formatCount(used)} tokens`, ...when];
  const isPart = window.from > 0 || window.to < end;
  const shown = `${formatDuration(window.from)} to ${formatDuration(window.to)}`;
  const notes = [
    ...(isPart ? [`Shows ${shown} of ${formatDuration(whole)}`] : []),
    ...(moment === undefined ? [] : [`As it was at ${formatDuration(moment)}`]),
    ...(view.filter.trim() === '' ? [] : [`Filter: ${view.filter.trim()}`]),
  ];
  const [some, all] = [rows.lanes.length - rows.counts.size, trace.lanes.length];
  return {
    title: run.entryAgent || 'Run',
    facts: facts.join(' · '),
    notes: notes.join(' · '),
    instances: some === all ? (all === 1 ? '1 instance' : `${all} instances`) : `${some} of ${all} instances`,
  };
}

function statusOf({ run: { status } }: Trace): Status {
  return status ?? shownStatus('open');
}

function dateOf(origin: number): string {
  return new Date(origin).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
}
