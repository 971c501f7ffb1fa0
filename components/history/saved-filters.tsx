'use client';

import { Bookmark, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { Menu, MenuItem, MenuSeparator } from '@/components/ui/menu';

export interface SavedFilter {
  readonly name: string;
  /** Query text, as the address has it. */
  readonly query: string;
}

export interface SavedFiltersProps {
  readonly saved: readonly SavedFilter[];
  /** The filter in use; empty if there is none. */
  readonly query: string;
  readonly onOpen: (query: string) => void;
  /** Saves or deletes, and resolves to the sentence of a failure. */
  readonly onSave: (name: string) => Promise<string | undefined>;
  readonly onDelete: (name: string) => Promise<string | undefined>;
}

/** Lists filters that were saved under a name, for all who use this Callboard, and saves the one in use. */
export function SavedFilters({ saved, query, onOpen, onSave, onDelete }: SavedFiltersProps) {
  const [dialog, setDialog] = useState<'save' | 'manage'>();
  const current = saved.find((filter) => filter.query === query);
  return (
    <>
      <Menu
        align="end"
        trigger={
          <Button icon={<Bookmark aria-hidden className="size-4" />}>
            <span className="max-w-40 truncate">{current?.name ?? 'Saved filters'}</span>
          </Button>
        }
      >
        {saved.map((filter) => (
          <MenuItem key={filter.name} onSelect={() => onOpen(filter.query)}>
            {filter.name}
          </MenuItem>
        ))}
        {saved.length > 0 && <MenuSeparator />}
        <MenuItem disabled={query === ''} onSelect={() => setDialog('save')}>
          Save this filter…
        </MenuItem>
        {saved.length > 0 && <MenuItem onSelect={() => setDialog('manage')}>Delete saved filters…</MenuItem>}
      </Menu>
      <SaveDialog open={dialog === 'save'} onClose={() => setDialog(undefined)} onSave={onSave} />
      <Dialog
        open={dialog === 'manage' && saved.length > 0}
        onOpenChange={() => setDialog(undefined)}
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
