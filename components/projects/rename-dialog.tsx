'use client';

import { type FormEvent, useId, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';

export interface RenameDialogProps {
  readonly name: string;
  readonly busy: boolean;
  readonly onClose: () => void;
  readonly onRename: (name: string) => void;
}

export function RenameDialog({ name, busy, onClose, onRename }: RenameDialogProps) {
  const [value, setValue] = useState(name);
  const form = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (value.trim() !== '') onRename(value.trim());
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Rename project"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} variant="primary" busy={busy} disabled={value.trim() === ''}>
            Rename
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit}>
        <Field label="Name">
          {(ids) => (
            <Input
              {...ids}
              value={value}
              maxLength={200}
              onFocus={(event) => event.target.select()}
              onChange={(event) => setValue(event.target.value)}
            />
          )}
        </Field>
      </form>
    </Dialog>
  );
}
