import { CircleAlert, CircleDashed, TriangleAlert } from 'lucide-react';
import type { ShownIssue } from '@/lib/editor/newborn';

/**
 * Shows the number of errors. Without errors it shows the number of warnings, and without these whether a new thing lacks
 * something. Other problems (`info`) are not shown.
 */
export function ProblemMark(props: { readonly issues: readonly ShownIssue[] | undefined }) {
  const errors = props.issues?.filter((issue) => issue.severity === 'error').length ?? 0;
  const warnings = props.issues?.filter((issue) => issue.severity === 'warning').length ?? 0;
  if (errors === 0 && warnings === 0) return <HintMark hint={props.issues?.find(({ isHint }) => isHint)?.message} />;
  const Icon = errors > 0 ? CircleAlert : TriangleAlert;
  const label = [count(errors, 'error'), count(warnings, 'warning')].filter((part) => part !== '').join(', ');
  const first = props.issues?.find((issue) => issue.severity === (errors > 0 ? 'error' : 'warning'))?.message;
  return (
    <span
      role="img"
      aria-label={label}
      title={first === undefined ? label : `${label}: ${first}`}
      className={`inline-flex items-center gap-0.5 rounded-sm px-1 text-2xs font-medium tabular ${
        errors > 0 ? 'bg-bad-soft text-bad' : 'bg-warn-soft text-warn'
      }`}
    >
      <Icon size={12} aria-hidden />
      {errors > 0 ? errors : warnings}
    </span>
  );
}

function HintMark({ hint }: { readonly hint: string | undefined }) {
  if (hint === undefined) return null;
  return (
    <span
      role="img"
      aria-label="To fill in"
      title={`To fill in: ${hint}`}
      className="inline-flex items-center rounded-sm bg-sunken px-1 py-0.5 text-muted"
    >
      <CircleDashed size={12} aria-hidden />
    </span>
  );
}

function count(n: number, word: string): string {
  return n === 0 ? '' : `${n} ${word}${n === 1 ? '' : 's'}`;
}
