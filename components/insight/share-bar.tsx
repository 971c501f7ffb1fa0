import { classNames } from '@/components/ui/class-names';
import { formatDuration, formatShare } from '@/lib/trace/wording';
import type { ShareLook } from './share-look';

export interface SharePart extends ShareLook {
  readonly key: string;
  /** Microseconds. */
  readonly time: number;
}

/** Shows how a stretch of time divides, as a bar and as a list of terms. Parts without time are left out. */
export function ShareBar({ title, note, parts }: { title: string; note?: string; parts: readonly SharePart[] }) {
  const shown = parts.filter(({ time }) => time > 0);
  const total = shown.reduce((sum, { time }) => sum + time, 0);
  return (
    <section aria-label={title} className="min-w-0">
      <h3 className="flex flex-wrap items-baseline gap-x-2 font-medium text-ink text-xs">
        {title}
        <span className="font-normal text-muted tabular-nums">{formatDuration(total)}</span>
        {note && <span className="font-normal text-faint">{note}</span>}
      </h3>
      <div aria-hidden className="mt-1.5 flex h-3 gap-px overflow-hidden rounded-sm bg-sunken">
        {shown.map(({ key, time, colour }) => (
          <span key={key} className={classNames('h-full min-w-px', colour)} style={{ flexGrow: time, flexBasis: 0 }} />
        ))}
      </div>
      <dl className="mt-1.5 flex flex-wrap gap-x-4 gap-y-1 text-xs">
        {shown.map(({ key, word, time, colour, title: why }) => (
          <div key={key} title={why} className="flex items-center gap-1.5 whitespace-nowrap">
            <span aria-hidden className={classNames('size-2 shrink-0 rounded-full', colour)} />
            <dt className="text-muted">{word}</dt>
            <dd className="text-ink tabular-nums">
              {formatDuration(time)} <span className="text-muted">{formatShare(time, total)}</span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
