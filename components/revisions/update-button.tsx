'use client';

import { useState } from 'react';
import { useAccess } from '@/components/access/access-context';
import { Button } from '@/components/ui/button';
import { later } from '@/components/ui/later';
import { whyNot } from '@/lib/base/project-access';
import { draftWords } from '@/lib/base/release-names';
import type { DraftUpdate, LiveUpdateRequest } from '@/lib/editor/live-update';
import type { FoundConflicts } from './live-conflicts';
import type { PublishServices } from './revision-types';

/** The question brings the comparison of texts, which most sessions never need. */
const LiveConflicts = later(async () => (await import('./live-conflicts')).LiveConflicts, null);

/** What a draft has after an update. */
type Updated = Exclude<DraftUpdate, { state: 'conflicts' }>;

interface UpdateButtonProps {
  readonly draft: string;
  readonly services: Pick<PublishServices, 'project' | 'update'>;
  /** The draft has what is live. `words` say what it got. */
  readonly onUpdated: (updated: Updated, words: string) => void;
}

/** *Update from live*: it brings what is live into a draft, and asks where both changed the same lines. */
export function UpdateButton({ draft, services, onUpdated }: UpdateButtonProps) {
  const [busy, setBusy] = useState(false);
  const [found, setFound] = useState<FoundConflicts>();
  const [fault, setFault] = useState<string>();
  const refusal = whyNot(useAccess(), 'project.edit');
  const ask = async (request?: LiveUpdateRequest) => {
    setBusy(true);
    const answer = await services.update(draft, request);
    setBusy(false);
    setFault(answer.ok ? undefined : answer.message);
    if (!answer.ok) return;
    if (answer.value.state === 'conflicts') return setFound(answer.value);
    setFound(undefined);
    onUpdated(answer.value, updateWords(draft, answer.value));
  };
  return (
    <>
      <Button
        size="sm"
        aria-label={`Update from live: ${draftWords(draft)}`}
        title={refusal}
        disabled={refusal !== undefined}
        busy={busy && found === undefined}
        onClick={() => void ask()}
      >
        Update from live
      </Button>
      {fault !== undefined && found === undefined && (
        <p role="alert" className="basis-full text-bad text-sm">
          {fault}
        </p>
      )}
      {found !== undefined && (
        <LiveConflicts
          key={`${found.version} ${found.live}`}
          project={services.project}
          {...{ draft, found, fault, busy }}
          onClose={() => {
            setFound(undefined);
            setFault(undefined);
          }}
          onSave={(resolutions) => void ask({ version: found.version, live: found.live, resolutions })}
          onAgain={() => void ask()}
        />
      )}
    </>
  );
}

/** Says what a draft got. */
function updateWords(draft: string, updated: Updated): string {
  const has = `The ${draftWords(draft)} has what is live, revision ${updated.live}.`;
  if (updated.state === 'current') return has;
  const { taken, merged, resolved } = updated;
  const parts = [
    ...(taken.length > 0 ? [`${files(taken.length)} taken over`] : []),
    ...(merged.length > 0 ? [`${files(merged.length)} merged`] : []),
    ...(resolved.length > 0 ? [`${files(resolved.length)} as you chose`] : []),
  ];
  return parts.length === 0 ? has : `${has} ${parts.join(', ')}.`;
}

function files(count: number): string {
  return count === 1 ? '1 file' : `${count} files`;
}
