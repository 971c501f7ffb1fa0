import { Diff } from 'lucide-react';
import { useDrifts } from '@/components/editor-state/servers-context';
import { driftWords } from '@/lib/editor/server-listing';

/** Shows that what a server offers has changed since an agent's filter for it was written. */
export function ChangedMark({ server }: { readonly server: string }) {
  const drifts = useDrifts().filter((one) => one.server === server);
  if (drifts.length === 0) return null;
  const words = drifts.map(({ agent, kind, drift }) => `${kind} picked for ${agent}: ${driftWords(drift)}`).join('\n');
  return (
    <span
      role="img"
      aria-label="changed since it was picked from"
      title={`Changed since it was picked from.\n${words}`}
      className="inline-flex shrink-0 items-center rounded-sm bg-warn-soft px-1 py-0.5 text-warn"
    >
      <Diff size={12} aria-hidden />
    </span>
  );
}
