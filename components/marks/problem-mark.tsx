import { CircleAlert, TriangleAlert } from 'lucide-react';
import type { Issue } from '@/lib/base/issue';

/** Shows an icon with the number of errors, or of warnings if there are no errors. Shows nothing for other problems (`info`). */
export function ProblemMark(props: { readonly issues: readonly Issue[] | undefined }) {
  const errors = props.issues?.filter((issue) => issue.severity === 'error').length ?? 0;
  const warnings = props.issues?.filter((issue) => issue.severity === 'warning').length ?? 0;
  if (errors === 0 && warnings === 0) return null;
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

function count(n: number, word: string): string {
  return n === 0 ? '' : `${n} ${word}${n === 1 ? '' : 's'}`;
}
