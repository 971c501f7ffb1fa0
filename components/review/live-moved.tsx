'use client';

import { useState } from 'react';
import { CapabilityList } from '@/components/compare/capability-list';
import type { PublishServices } from '@/components/revisions/revision-types';
import { UpdateButton } from '@/components/revisions/update-button';
import { Button } from '@/components/ui/button';
import { VisibleText } from '@/components/ui/visible-text';
import { draftWords } from '@/lib/base/release-names';
import type { Done, ShownMove } from './review-types';

/**
 * Says that another revision went live than the one that a review continues, whose it is, and what of it the review would take back. Brings
 * it into the draft.
 */
export function LiveMoved(props: {
  readonly moved: ShownMove;
  /** What is live now. */
  readonly against: number | undefined;
  readonly draft: string;
  readonly publishing: Pick<PublishServices, 'project' | 'update'>;
  /** Why the person may not add a version. */
  readonly refusal: string | undefined;
  readonly onAddVersion: () => Done;
}) {
  const { moved, against, draft } = props;
  const { from, by, capabilities, files } = moved;
  const was = from === undefined ? 'It has nothing that was live' : `It continues revision ${from}`;
  const losesNothing = capabilities.length === 0 && files.length === 0;
  return (
    <div className="flex max-w-3xl flex-col gap-3 rounded-lg border border-warn p-4 text-sm">
      <p className="text-ink">
        {was}, and{' '}
        {by.length === 0 ? (
          <>live was rolled back to revision {against}</>
        ) : (
          <>
            revision {against} is live now, with work by <VisibleText text={by.join(', ')} />
          </>
        )}
        . All on this page is compared with revision {against}. Approvals from before still count, because they were
        given for the files of this review.
      </p>
      {losesNothing ? (
        <p className="text-ink">Publishing keeps those changes.</p>
      ) : (
        <p className="text-ink">
          Publishing undoes {by.length === 0 ? 'that' : 'what went live meanwhile'}, so it asks for a reason. To keep
          it, update the {draftWords(draft)} from live and add a version.
        </p>
      )}
      {capabilities.length > 0 && <CapabilityList changes={capabilities} />}
      {files.length > 0 && (
        <p className="break-words text-muted">
          {files.length === 1 ? 'This file went live' : 'These files went live'} since then, and the review has another
          text: {listed(files)}.
        </p>
      )}
      <BringIn {...props} />
    </div>
  );
}

/** Updates the draft, and then offers to add it to the review. */
function BringIn(props: Pick<Parameters<typeof LiveMoved>[0], 'draft' | 'publishing' | 'refusal' | 'onAddVersion'>) {
  const { draft, publishing, refusal, onAddVersion } = props;
  const [said, setSaid] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string>();
  const add = async () => {
    setBusy(true);
    setFault(await onAddVersion());
    setBusy(false);
  };
  if (said === undefined) {
    return (
      <div className="flex flex-wrap items-center gap-2">
        <UpdateButton draft={draft} services={publishing} onUpdated={(_updated, words) => setSaid(words)} />
      </div>
    );
  }
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <p role="status" className="min-w-0 break-words text-ink">
        {said} It counts here once the review has it as a version.
      </p>
      <Button
        size="sm"
        variant="primary"
        title={refusal}
        disabled={refusal !== undefined}
        busy={busy}
        onClick={() => void add()}
      >
        Add a version
      </Button>
      {fault !== undefined && (
        <p role="alert" className="basis-full text-bad">
          {fault}
        </p>
      )}
    </div>
  );
}

const mostFiles = 20;

function listed(files: readonly string[]): string {
  const more = files.length - mostFiles;
  return more > 0 ? `${files.slice(0, mostFiles).join(', ')} and ${more} more` : files.join(', ');
}
