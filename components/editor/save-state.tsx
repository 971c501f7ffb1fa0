'use client';

import { Check, CircleAlert, LoaderCircle, Save } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { useActions, useProject } from '@/components/editor-state/project-context';
import { Button } from '@/components/ui/button';
import { IconButton } from '@/components/ui/icon-button';
import { isCallboardReached, onReach } from '@/lib/client/reach';
import { unreachable } from '@/lib/client/unreachable';

/**
 * Says whether what is on screen is saved. Edits are saved by themselves; a save that failed says why and offers to try
 * again, and a conflict offers to choose. Screen readers hear of failures only, which Notices announces.
 */
export function SaveState() {
  const dirty = useProject((state) => state.dirty);
  const saving = useProject((state) => state.saving);
  const fault = useProject((state) => state.saveFault);
  const conflict = useProject((state) => state.conflict);
  const actions = useActions();
  const isFailed = fault !== undefined || conflict !== undefined;
  const isReached = useSyncExternalStore(onReach, isCallboardReached, () => true);
  // The page says already that Callboard cannot be reached.
  const message = isReached ? fault?.message : fault?.message.replace(unreachable, '').trim();
  const why = conflict === undefined ? message : 'Changed elsewhere too.';
  return (
    <span className="ml-1.5 flex min-w-0 items-center gap-1.5 text-xs">
      <span role="status" aria-live="off" title={why} className="flex shrink-0 items-center gap-1 text-muted">
        {isFailed ? (
          <span className="flex items-center gap-1 font-medium text-bad">
            <CircleAlert aria-hidden className="size-3.5" />
            <span className="max-sm:sr-only">Not saved</span>
          </span>
        ) : dirty || saving ? (
          <>
            <LoaderCircle aria-hidden className="size-3.5 motion-safe:animate-spin" />
            Saving…
          </>
        ) : (
          <>
            <Check aria-hidden className="size-3.5 text-ok" />
            <span className="max-sm:sr-only">Saved</span>
          </>
        )}
      </span>
      {isFailed ? (
        <>
          <span className="min-w-0 truncate text-muted max-lg:hidden" title={why}>
            {why}
          </span>
          <Button size="sm" busy={saving} onClick={() => void actions.save()}>
            {conflict === undefined ? 'Retry' : 'Choose…'}
          </Button>
        </>
      ) : null}
    </span>
  );
}

/** Saves now instead of in a moment. After a failure, Retry does the same. */
export function SaveButton() {
  const isFailed = useProject((state) => state.saveFault !== undefined || state.conflict !== undefined);
  const actions = useActions();
  if (isFailed) return null;
  return (
    <IconButton
      label="Save"
      keys="Mod+S"
      icon={<Save aria-hidden />}
      onClick={() => void actions.save()}
      tooltipSide="bottom"
    />
  );
}
