import Link from 'next/link';
import { CopyButton } from '@/components/ui/copy-button';
import { Markdown } from '@/components/ui/markdown';

/** A longer text is shown without its marks, because reading it would hold up the page. */
const mostUnits = 100_000;

/** Shows an answer, whole or as far as it has come. */
export function Answer(props: {
  readonly text: string;
  readonly runId: string;
  readonly isCut?: boolean;
  /** True while it is being written. */
  readonly isGrowing?: boolean;
}) {
  const { text, runId, isCut = false, isGrowing = false } = props;
  return (
    <section aria-label="Answer" aria-busy={isGrowing || undefined} className="group/answer min-w-0">
      {text.length <= mostUnits ? (
        <Markdown text={text} />
      ) : (
        <p className="whitespace-pre-wrap break-words text-sm">{text}</p>
      )}
      {isCut && (
        <p className="mt-2 text-muted text-xs">
          This is the beginning.{' '}
          <Link href={`/r/${runId}`} className="text-accent underline underline-offset-2">
            The run has the whole text.
          </Link>
        </p>
      )}
      {!isGrowing && text !== '' && (
        <span className="mt-1 -ml-1 block">
          <CopyButton text={text} label="Copy answer" />
        </span>
      )}
    </section>
  );
}
