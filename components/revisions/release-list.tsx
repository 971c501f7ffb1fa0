import { TimeAgo } from '@/components/ui/time-ago';
import type { ShownRelease } from './revision-types';

const verbs = { publish: 'published', promote: 'promoted', rollback: 'rolled back to' } as const;

/** What labels named when, and who moved them. */
export function ReleaseList({ releases }: { readonly releases: readonly ShownRelease[] }) {
  if (releases.length === 0) return null;
  return (
    <section aria-label="History of labels">
      <h2 className="mb-2 font-medium text-ink text-sm">What was live when</h2>
      <ol aria-label="History of labels" className="divide-y rounded-lg border bg-surface shadow-card">
        {releases.map(({ number, label, revision, kind, by, at, reason, overrode }) => (
          <li key={number} className="px-4 py-2 text-sm">
            <p className="break-words text-ink">
              {by} {verbs[kind]} revision {revision}
              {label !== 'live' && ` as ${label}`}
              {reason !== '' && `: ${reason}`}
            </p>
            <p className="text-muted text-xs">
              <TimeAgo at={at} />
              {overrode.length > 0 && `, past the checks ${overrode.join(', ')}`}
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}
