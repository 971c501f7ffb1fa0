import { useQuery, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { TimeAgo } from '@/components/ui/time-ago';
import { VisibleText } from '@/components/ui/visible-text';
import type { GrantInfo } from '@/lib/base/pending-info';
import { listGrants } from '@/lib/client/pending';
import { usePeople } from './people-context';
import { grantWords } from './question-words';

export interface GrantsDialogProps {
  /** Only those of this project; all without it. */
  readonly project: string | undefined;
  readonly onClose: () => void;
}

/** Lists the approvals that are remembered. Each can be revoked. */
export function GrantsDialog({ project, onClose }: GrantsDialogProps) {
  const { data, error } = useQuery({ queryKey: ['grants', project], queryFn: () => listGrants(project), retry: false });
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      width="lg"
      title="Remembered approvals"
      description="These calls run without a question, unless a setting denies them. Revoke one, and runs ask again at once."
    >
      {error !== null && (
        <p role="alert" className="text-bad text-sm">
          {error.message}
        </p>
      )}
      {data?.length === 0 && (
        <p className="text-muted text-sm">
          Nothing is remembered. “Approve and remember” of a question adds a line here.
        </p>
      )}
      <ul aria-label="Remembered approvals" className="divide-y">
        {data?.map((grant) => (
          <GrantRow key={grant.id} grant={grant} />
        ))}
      </ul>
    </Dialog>
  );
}

function GrantRow({ grant }: { readonly grant: GrantInfo }) {
  const people = usePeople();
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const revoke = async () => {
    setBusy(true);
    setRefusal(await people?.revoke(grant.id));
    await client.invalidateQueries({ queryKey: ['grants'] });
    setBusy(false);
  };
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1.5 py-2.5">
      <div className="min-w-0 flex-1 basis-64">
        <p className="break-words text-ink text-sm">{grantWords(grant)}</p>
        <p className="flex flex-wrap gap-x-2 text-2xs text-muted">
          <span className="truncate">
            <VisibleText text={grant.projectName} />
          </span>
          <span>by {grant.by}</span>
          <TimeAgo at={grant.at} />
          <Link href={`/r/${grant.run}`} className="text-accent underline-offset-2 hover:underline">
            given in run {grant.run.slice(0, 8)}
          </Link>
          <span className="tabular-nums">
            {grant.uses === 0 ? 'never used' : `used ${grant.uses}×`}
            {grant.lastUsedAt !== undefined && (
              <>
                , last <TimeAgo at={grant.lastUsedAt} />
              </>
            )}
          </span>
          {grant.expiresAt !== undefined && (
            <span>
              until <time>{new Date(grant.expiresAt).toLocaleString()}</time>
            </span>
          )}
        </p>
        {refusal !== undefined && (
          <p role="alert" className="text-bad text-xs">
            {refusal}
          </p>
        )}
      </div>
      <Button size="sm" busy={busy} onClick={() => void revoke()}>
        Revoke
      </Button>
    </li>
  );
}
