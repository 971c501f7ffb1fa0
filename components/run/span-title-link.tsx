import { spanTitle, type Trace } from '@/lib/trace/trace';

/** Shows the title of a span. A click selects the span. */
export function SpanTitleLink(props: {
  readonly trace: Trace;
  readonly span: number;
  readonly onSelect: (span: number) => void;
}) {
  const { trace, span, onSelect } = props;
  return (
    <button
      type="button"
      onClick={() => onSelect(span)}
      className="cursor-pointer text-left text-accent underline-offset-2 hover:underline"
    >
      {spanTitle(trace, span)}
    </button>
  );
}
