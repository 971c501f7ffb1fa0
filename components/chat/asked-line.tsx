import { Hand } from 'lucide-react';
import type { OfKind } from '@/components/run/event-of';
import type { LiveTrace } from '@/components/run/use-run';
import { Markdown } from '@/components/ui/markdown';
import { textOf } from '@/lib/runtime/record/messages';
import { answerLine } from '@/lib/trace/answer-words';
import { spanName } from '@/lib/trace/trace';

/** What a model said before it called tools. */
export function SaidBefore({ event }: { readonly event: OfKind<'model.ended'> | undefined }) {
  const text = event?.message === undefined ? '' : textOf(event.message.content).trim();
  return (
    text !== '' && (
      <div className="py-1">
        <Markdown text={text} />
      </div>
    )
  );
}

/** A question that was answered, or is not needed any more. */
export function AskedLine(props: {
  readonly run: LiveTrace;
  readonly span: number;
  readonly event: OfKind<'person.answered'> | undefined;
}) {
  const { run, span, event } = props;
  return (
    <p className="flex min-w-0 items-center gap-2 py-1 text-muted text-xs">
      <Hand aria-hidden className="size-3.5 shrink-0 text-warn" />
      <span className="min-w-0 truncate">{spanName(run.trace, span)}</span>
      {event !== undefined && <span className="min-w-0 truncate text-ink">{answerLine(event)}</span>}
    </p>
  );
}
