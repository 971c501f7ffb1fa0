'use client';

import { TriangleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import type { RevisionServices } from './revision-types';

type Found = Awaited<ReturnType<RevisionServices['checkRollBack']>>;

/** Asks before a roll back, and warns if runs of what becomes live would be refused. It is mounted when it opens. */
export function RollBackDialog(props: {
  readonly services: Pick<RevisionServices, 'checkRollBack'>;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}) {
  const { services, onClose, onConfirm } = props;
  const found = useFound(services);
  const warnings = found?.ok ? found.value.warnings : [];
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Roll back?"
      confirm={warnings.length === 0 ? 'Roll back' : 'Roll back nevertheless'}
      busy={found === undefined}
      onConfirm={onConfirm}
    >
      <p>
        {found?.ok ? `Revision ${found.value.revision}, which` : 'The revision that'} was live before, becomes live
        again. Drafts and revisions stay as they are.
      </p>
      {found?.ok === false && <p className="mt-2">{found.message}</p>}
      {warnings.length > 0 && (
        <div className="mt-3 rounded border border-warn bg-warn-soft px-3 py-2 text-ink">
          <p className="flex items-center gap-2 font-medium">
            <TriangleAlert aria-hidden className="size-4 shrink-0 text-warn" />
            Its runs would be refused
          </p>
          <ul aria-label="Broken rules" className="mt-1 list-disc pl-5">
            {warnings.map((warning) => (
              <li key={warning} className="break-words">
                {warning}
              </li>
            ))}
          </ul>
        </div>
      )}
    </ConfirmDialog>
  );
}

function useFound(services: Pick<RevisionServices, 'checkRollBack'>): Found | undefined {
  const [found, setFound] = useState<Found>();
  useEffect(() => {
    let isGone = false;
    void services.checkRollBack('live').then((answer) => {
      if (!isGone) setFound(answer);
    });
    return () => {
      isGone = true;
    };
  }, [services]);
  return found;
}
