import { EyeOff } from 'lucide-react';
import { StatusLabel } from '@/components/ui/status';
import type { RunState } from '@/lib/trace/run-state';

/** Stands for the message and the answer where a link shows no texts. */
export function BareResult({
  status,
  errorCode,
}: {
  readonly status: RunState;
  readonly errorCode?: string | undefined;
}) {
  return (
    <div className="flex flex-col gap-3 p-3 text-sm">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <StatusLabel status={status} />
        {errorCode !== undefined && <code className="font-mono text-bad text-xs">{errorCode}</code>}
      </p>
      <NoTexts />
    </div>
  );
}

/** Says that texts are left out on purpose. */
export function NoTexts() {
  return (
    <p className="flex items-start gap-2 text-muted text-sm">
      <EyeOff aria-hidden className="mt-0.5 size-4 shrink-0" />
      This link shows times, states, tokens and cost. Messages, arguments, results and errors are left out.
    </p>
  );
}
