import { MessageSquare } from 'lucide-react';
import { classNames } from '@/components/ui/class-names';
import type { PartChange } from '@/lib/graph/review/merged-graph';
import { ChangeBadge, changeLook } from './change-look';

/** The sign of a change beside a part of the drawing, and how many threads are about it. Its button says the same in words. */
export function ChangeTag(props: {
  readonly change: PartChange | undefined;
  readonly threads: number;
  readonly className: string;
  /** Without the word, where there is little room. */
  readonly isShort?: boolean;
}) {
  const { change, threads, className, isShort = false } = props;
  if (change === undefined && threads === 0) return null;
  return (
    <span aria-hidden className={classNames('pointer-events-none flex items-center gap-1', className)}>
      {change !== undefined && (isShort ? <Sign change={change} /> : <ChangeBadge change={change} />)}
      {threads > 0 && (
        <span className="flex items-center gap-0.5 rounded-sm bg-accent-soft px-1 text-2xs text-accent tabular-nums">
          <MessageSquare className="size-3" />
          {threads}
        </span>
      )}
    </span>
  );
}

function Sign({ change }: { readonly change: PartChange }) {
  const { Icon, ink } = changeLook(change);
  return <Icon className="size-3" strokeWidth={3} style={{ color: ink }} />;
}
