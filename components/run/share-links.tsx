import { Link2 } from 'lucide-react';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { TimeAgo } from '@/components/ui/time-ago';
import type { ShownShareLink } from './share-services';

export interface ShareLinksProps {
  readonly links: readonly ShownShareLink[];
  readonly onRevoke: (id: string) => void;
}

/** Lists the links that show a run now: who made them, until when they do so, and how often they were opened. */
export function ShareLinks({ links, onRevoke }: ShareLinksProps) {
  return (
    <section>
      <h3 className="mb-1 font-medium text-ink text-sm">Links to this run</h3>
      {links.length === 0 && <p className="text-muted text-sm">None. Nobody sees this run without an account.</p>}
      <ul aria-label="Links to this run" className="divide-y">
        {links.map((link) => (
          <li key={link.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
            <Link2 aria-hidden className="size-4 shrink-0 text-faint" />
            <div className="min-w-0 flex-1 basis-52">
              <p className="flex flex-wrap items-center gap-2 text-sm">
                <code className="font-mono text-ink text-xs">{link.prefix}…</code>
                {link.texts && <Badge tone="warn">With texts</Badge>}
              </p>
              <p className="break-words text-muted text-xs">
                Made by {link.by} <TimeAgo at={link.createdAt} /> · expires {dateOf(link.expiresAt)}
              </p>
              <p className="text-muted text-xs">{openings(link)}</p>
            </div>
            <Button size="sm" aria-label={`Revoke ${link.prefix}`} onClick={() => onRevoke(link.id)}>
              Revoke
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function openings({ opens, openedAt }: ShownShareLink) {
  if (openedAt === null) return 'Not opened yet';
  return (
    <>
      Opened {opens === 1 ? 'once' : `${opens} times`}, last <TimeAgo at={openedAt} />
    </>
  );
}

function dateOf(at: number): string {
  return new Date(at).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' });
}
