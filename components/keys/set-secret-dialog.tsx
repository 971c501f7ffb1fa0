'use client';

import { useId } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { type KeyProject, useKeyServices } from './key-context';
import { useStoring } from './use-storing';

interface SetSecretDialogProps {
  readonly name: string;
  readonly project: KeyProject;
  readonly onClose: () => void;
}

/** Takes the value of a variable that servers of the project ask for, and stores it as a secret of the project. */
export function SetSecretDialog({ name, project, onClose }: SetSecretDialogProps) {
  const services = useKeyServices();
  const form = useId();
  const { value, setValue, fault, isBusy, isWhole, submit } = useStoring({
    store: async (text) => services?.store(project.id, name, text),
    said: `The secret ${name} is stored. Runs that begin now use it.`,
    onClose,
  });
  if (services === undefined) return null;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Secret ${name}`}
      description={`It is stored sealed, as a secret of ${project.name}. Nobody can read it again. In Settings, Secrets, it can be limited to hosts.`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} variant="primary" busy={isBusy} disabled={!isWhole}>
            Store
          </Button>
        </>
      }
    >
      <form id={form} autoComplete="off" onSubmit={(event) => void submit(event)}>
        <Field label="Value" error={fault}>
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
