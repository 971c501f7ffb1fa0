'use client';

import { type FormEvent, useId, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { showToast } from '@/components/ui/toast';
import { type KeyProject, useKeyServices } from './key-context';

interface SetSecretDialogProps {
  readonly name: string;
  readonly project: KeyProject;
  readonly onClose: () => void;
}

/** Takes the value of a variable that servers of the project ask for, and stores it as a secret of the project. */
export function SetSecretDialog({ name, project, onClose }: SetSecretDialogProps) {
  const services = useKeyServices();
  const form = useId();
  const [value, setValue] = useState('');
  const [fault, setFault] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  if (services === undefined) return null;
  const isWhole = value.trim() !== '';
  const store = async (event: FormEvent) => {
    event.preventDefault();
    // A dialog is in its opener's form for React.
    event.stopPropagation();
    if (isBusy || !isWhole) return;
    setBusy(true);
    setFault(undefined);
    try {
      await services.store(project.id, name, value.trim());
      showToast({ text: `The secret ${name} is stored. Runs that begin now use it.`, tone: 'ok' });
      onClose();
    } catch (error) {
      setFault(error instanceof Error ? error.message : 'The secret could not be stored. Try again.');
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Secret ${name}`}
      description={`It is stored sealed, as a secret of ${project.name}. Nobody can read it again. Settings, Secrets can limit it to hosts.`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} variant="primary" busy={isBusy} disabled={!isWhole}>
            Store
          </Button>
        </>
      }
    >
      <form id={form} autoComplete="off" onSubmit={(event) => void store(event)}>
        <Field label="Value" hint={<code className="break-all font-mono">{name}</code>} error={fault}>
          {(ids) => (
            <Input
              {...ids}
              type="password"
              autoComplete="new-password"
              data-first-focus
              className="font-mono"
              value={value}
              onChange={(event) => setValue(event.currentTarget.value)}
            />
          )}
        </Field>
      </form>
    </Dialog>
  );
}
