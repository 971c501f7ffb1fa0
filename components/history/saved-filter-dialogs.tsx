'use client';

import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import type { SavedFiltersProps } from './saved-filter';

interface SavedFilterDialogsProps extends Pick<SavedFiltersProps, 'saved' | 'onSave' | 'onDelete'> {
  /** Which one is open. */
  readonly dialog: 'save' | 'manage' | undefined;
  readonly onClose: () => void;
}

/** Saves the filter in use under a name, or deletes saved ones. */
export function SavedFilterDialogs({ dialog, saved, onSave, onDelete, onClose }: SavedFilterDialogsProps) {
  return (
    <>
      <SaveDialog open={dialog === 'save'} onClose={onClose} onSave={onSave} />
      <Dialog
        open={dialog === 'manage' && saved.length > 0}
        onOpenChange={onClose}
        title="Saved filters"
        description="They are seen by everybody who uses this Callboard."
      >
        <ul className="flex flex-col gap-1">
          {saved.map(({ name }) => (
            <li key={name} className="flex items-center justify-between gap-3 rounded border px-3 py-1.5 text-sm">
              <span className="min-w-0 truncate text-ink">{name}</span>
              <Button
                size="sm"
                variant="ghost"
                aria-label={`Delete the filter ${name}`}
                icon={<Trash2 aria-hidden className="size-3.5" />}
                onClick={() => void onDelete(name)}
              >
                Delete
              </Button>
            </li>
          ))}
        </ul>
      </Dialog>
    </>
  );
}

interface SaveDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onSave: SavedFiltersProps['onSave'];
}

function SaveDialog({ open, onClose, onSave }: SaveDialogProps) {
  const [name, setName] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const save = async () => {
    setBusy(true);
    const failure = await onSave(name);
    setBusy(false);
    setProblem(failure);
    if (failure !== undefined) return;
    setName('');
    onClose();
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      title="Save this filter"
      description="A filter of the same name is replaced."
      footer={
        <Button variant="primary" busy={busy} disabled={name.trim() === ''} onClick={() => void save()}>
          Save
        </Button>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() !== '') void save();
        }}
      >
        <Field label="Name" error={problem}>
          {(field) => (
            <Input {...field} value={name} maxLength={60} onChange={(event) => setName(event.currentTarget.value)} />
          )}
        </Field>
      </form>
    </Dialog>
  );
}
