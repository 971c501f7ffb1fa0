import { Ban, CircleCheck, CircleDashed, CircleX, Clock, Hand, LoaderCircle, TriangleAlert } from 'lucide-react';
import { Badge, type Tone } from './badge';
import { classNames } from './class-names';

export type Status = 'queued' | 'running' | 'suspended' | 'completed' | 'failed' | 'cancelled' | 'timeout' | 'lost';

const looks: Record<Status, { word: string; icon: typeof Ban; tone: Tone; ink: string }> = {
  queued: { word: 'Queued', icon: CircleDashed, tone: 'queued', ink: 'text-muted' },
  running: { word: 'Running', icon: LoaderCircle, tone: 'busy', ink: 'text-busy' },
  suspended: { word: 'Waiting for people', icon: Hand, tone: 'warn', ink: 'text-warn' },
  completed: { word: 'Completed', icon: CircleCheck, tone: 'ok', ink: 'text-ok' },
  failed: { word: 'Failed', icon: CircleX, tone: 'bad', ink: 'text-bad' },
  cancelled: { word: 'Stopped', icon: Ban, tone: 'neutral', ink: 'text-muted' },
  timeout: { word: 'Timed out', icon: Clock, tone: 'warn', ink: 'text-warn' },
  lost: { word: 'Interrupted', icon: TriangleAlert, tone: 'warn', ink: 'text-warn' },
};

export function statusWord(status: Status): string {
  return looks[status].word;
}

function Icon({ status, className }: { readonly status: Status; readonly className?: string }) {
  const Shape = looks[status].icon;
  return <Shape aria-hidden className={classNames(className, status === 'running' && 'animate-spin')} />;
}

export interface StatusProps {
  readonly status: Status;
  /** `badge` has a coloured background, `plain` is for text, and `icon` gives the word only to screen readers. */
  readonly look?: 'badge' | 'plain' | 'icon';
}

/** Shows icon and word of a run or instance. The status is never shown by colour alone. */
export function StatusLabel({ status, look = 'badge' }: StatusProps) {
  const { word, tone, ink } = looks[status];
  if (look === 'badge') {
    return (
      <Badge tone={tone} icon={<Icon status={status} />}>
        {word}
      </Badge>
    );
  }
  return (
    <span title={look === 'icon' ? word : undefined} className={classNames('inline-flex items-center gap-1', ink)}>
      <Icon status={status} className="size-3.5 shrink-0" />
      <span className={look === 'icon' ? 'sr-only' : 'text-xs'}>{word}</span>
    </span>
  );
}
