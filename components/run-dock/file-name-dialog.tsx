'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { checkPath } from '@/lib/cards/files';

export interface FileNameDialogProps {
  readonly title: string;
  readonly verb: string;
  readonly initial: string;
  readonly taken: readonly string[];
  readonly hint?: string;
  readonly placeholder?: string;
  readonly onName: (path: string) => void;
  readonly onClose: () => void;
}

/** Asks for a path inside the project. Refuses one that is taken or that leads out of the project. */
export function FileNameDialog(props: FileNameDialogProps) {
  const [path, setPath] = useState(props.initial);
  const [tried, setTried] = useState(false);
  const trimmed = path.trim();
  const fault =
    trimmed !== props.initial && props.taken.includes(trimmed)
      ? `There is a file ${trimmed} already.`
      : checkPath(trimmed)?.message;

  function submit(event: React.FormEvent) {
    event.preventDefault();
    setTried(true);
    if (fault !== undefined) return;
    if (trimmed !== props.initial) props.onName(trimmed);
    props.onClose();
  }

  return (
    <Dialog open onOpenChange={props.onClose} title={props.title}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field
          label="Path"
          hint={props.hint ?? 'Folders with slashes: tools/clock.py'}
          error={tried ? fault : undefined}
        >
          {(ids) => (
            <Input
              {...ids}
              className="font-mono"
              value={path}
              placeholder={props.placeholder ?? 'agent-cards/writer.md'}
              onChange={(event) => setPath(event.currentTarget.value)}
            />
          )}
        </Field>
        <div className="flex justify-end gap-2">
          <Button onClick={props.onClose}>Cancel</Button>
          <Button type="submit" variant="primary">
            {props.verb}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
