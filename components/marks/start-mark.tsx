import { Unplug } from 'lucide-react';
import { useOverlay } from '@/components/editor-state/overlay-context';
import { startsOf } from '@/lib/trace/failed-starts';
import { failedWords } from '@/lib/trace/failed-words';

/**
 * Shows that a server did not start in the shown run. The mark is on the agents that use the server, and on the server
 * itself.
 */
export function StartMark(props: { readonly agent: string } | { readonly server: string }) {
  const failed = startsOf(
    useOverlay((overlay) => overlay.failedStarts),
    props,
  );
  if (failed.length === 0) return null;
  return (
    <span
      role="img"
      aria-label={`${failedWords(failed)} in the last run`}
      title={failed.map(({ message }) => message).join('\n')}
      className="inline-flex shrink-0 items-center rounded-sm bg-bad-soft px-1 py-0.5 text-bad"
    >
      <Unplug size={12} aria-hidden />
    </span>
  );
}
