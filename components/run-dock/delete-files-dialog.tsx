'use client';

import { useMemo } from 'react';
import { useProject } from '@/components/editor-state/project-context';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { whoNames } from '@/lib/cards/edit/who-names';

/** So many files are listed by name. */
const listed = 6;

/** Asks before files are deleted, and says which files name them. */
export function DeleteFilesDialog(props: {
  readonly name: string;
  readonly paths: readonly string[];
  readonly onClose: () => void;
  readonly onDelete: () => void;
}) {
  const { name, paths } = props;
  const folder = useProject((state) => state.document.folder);
  const named = useMemo(() => whoNames(folder, paths), [folder, paths]);
  const rest = named.length - listed;
  return (
    <ConfirmDialog
      open
      onOpenChange={props.onClose}
      title={`Delete ${name}?`}
      confirm={
        paths.length === 0 ? 'Delete folder' : paths.length === 1 ? 'Delete file' : `Delete ${paths.length} files`
      }
      onConfirm={props.onDelete}
    >
      {named.length === 0 ? (
        <p>No other file mentions it.</p>
      ) : (
        <>
          <p>These files mention it and will have a problem:</p>
          <ul className="my-1 list-disc pl-5 font-mono text-ink text-xs">
            {named.slice(0, listed).map((path) => (
              <li key={path}>{path}</li>
            ))}
          </ul>
          {rest > 0 ? <p>and {rest} more.</p> : null}
        </>
      )}
      <p>Undo brings it back.</p>
    </ConfirmDialog>
  );
}
