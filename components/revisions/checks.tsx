import { CircleCheck, CircleX } from 'lucide-react';
import { VisibleText } from '@/components/ui/visible-text';
import type { CheckResult } from '@/lib/base/gate';

/** What the checks found. Without it they are still running. */
export function Checks({ checks }: { readonly checks: readonly CheckResult[] | undefined }) {
  if (checks === undefined) return <p className="text-muted text-xs">The files are being checked.</p>;
  return (
    <ul aria-label="Checks" className="flex flex-col gap-1.5">
      {checks.map(({ id, ok, sentence }) => (
        <li key={id} className="flex items-start gap-2 text-sm">
          {ok ? (
            <CircleCheck aria-label="Passed" className="mt-0.5 size-4 shrink-0 text-ok" />
          ) : (
            <CircleX aria-label="Failed" className="mt-0.5 size-4 shrink-0 text-bad" />
          )}
          <span className="min-w-0 break-words text-ink">
            <VisibleText text={sentence} />
          </span>
        </li>
      ))}
    </ul>
  );
}
