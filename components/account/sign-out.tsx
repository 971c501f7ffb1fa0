'use client';

import { type ReactNode, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { projectsWithDraft } from '@/lib/editor/draft';

export interface SignOutProps {
  /** The projects that the person may see. */
  readonly projects: readonly { readonly id: string; readonly name: string }[];
  /** What stands beside the button. */
  readonly children?: ReactNode;
}

/** Signs this browser out, which clears what it keeps. Asks first if edits would be lost. */
export function SignOut({ projects, children }: SignOutProps) {
  const form = useRef<HTMLFormElement>(null);
  const [unsaved, setUnsaved] = useState<readonly string[]>([]);
  return (
    <form
      ref={form}
      method="post"
      action="/sign-out"
      className="flex flex-wrap items-center gap-4"
      onSubmit={(event) => {
        const ids = unsavedHere();
        if (ids.length === 0) return;
        event.preventDefault();
        setUnsaved(ids);
      }}
    >
      <Button type="submit">Sign out</Button>
      {children}
      <ConfirmDialog
        open={unsaved.length > 0}
        onOpenChange={(open) => !open && setUnsaved([])}
        title="Discard unsaved edits?"
        confirm="Sign out and discard"
        cancel="Stay"
        onConfirm={() => form.current?.submit()}
      >
        <p>This browser has edits that are not saved. Signing out discards them. To save them, stay and open:</p>
        <ul className="mt-2 list-disc pl-5">
          {unsaved.map((id) => (
            <li key={id} className="break-words text-ink">
              {projects.find((each) => each.id === id)?.name ?? 'A project that is not listed for you'}
            </li>
          ))}
        </ul>
      </ConfirmDialog>
    </form>
  );
}

function unsavedHere(): readonly string[] {
  try {
    return projectsWithDraft(window.localStorage);
  } catch {
    // A browser without storage keeps no edits.
    return [];
  }
}
