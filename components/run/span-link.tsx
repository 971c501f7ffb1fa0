import type { Trace } from '@/lib/trace/trace';

/** Shows a path that selects its instance. */
export function SpanLink(props: {
  readonly trace: Trace;
  readonly path: string;
  readonly onSelect: (span: number) => void;
  readonly className: string;
}) {
  const { trace, path, onSelect, className } = props;
  const lane = trace.lanes[trace.laneByPath.get(path) ?? -1];
  return (
    <button
      type="button"
      disabled={lane === undefined}
      title={path}
      onClick={() => lane !== undefined && onSelect(lane.span)}
      className={`cursor-pointer truncate text-left text-accent text-xs underline-offset-2 hover:underline ${className}`}
    >
      {path}
    </button>
  );
}
