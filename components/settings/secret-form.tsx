'use client';

import { useState } from 'react';
import { KeyTest } from '@/components/keys/key-test';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import type { KeyReport } from '@/lib/base/key-report';
import { keyVariables } from '@/lib/cards/models/providers';
import { type NamedProject, SecretProjects } from './secret-projects';
import type { NewSecret } from './secret-types';

export interface SecretFormProps {
  /** The secret whose value is replaced; `undefined` for a new one. */
  readonly secret: Pick<NewSecret, 'name' | 'hosts' | 'projects'> | undefined;
  /** For a secret of the installation: the projects to choose from. */
  readonly projects?: readonly NamedProject[] | undefined;
  /** True if a secret must name hosts or projects here, unless it is the key of a model provider. */
  readonly needsBounds: boolean;
  /** Rejects with an Error whose message users may see. */
  readonly onSave: (secret: NewSecret) => Promise<void>;
  /** Tries the key of a model provider, which is not stored. Rejects as `onSave`. */
  readonly onTest: (name: string, value: string) => Promise<KeyReport>;
  readonly onClose: () => void;
}

/** Takes a new secret, or a new value of one. What was stored before is never shown. */
export function SecretForm({ secret, projects, needsBounds, onSave, onTest, onClose }: SecretFormProps) {
  const [typed, setTyped] = useState<Typed>({
    name: secret?.name ?? '',
    value: '',
    hosts: secret?.hosts.join(', ') ?? '',
    projects: secret?.projects ?? [],
  });
  const { name, value, hosts } = typed;
  const isKey = keyVariables.includes(name.trim());
  const isBound = needsBounds && !isKey;
  const places = hosts.split(/[\s,]+/).filter((host) => host !== '');
  const [fault, setFault] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    setFault(undefined);
    try {
      await onSave({ name: name.trim(), value, hosts: places, projects: typed.projects });
    } catch (error) {
      setFault(error instanceof Error ? error.message : 'The secret could not be stored.');
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={secret === undefined ? 'New secret' : `New value of ${secret.name}`}
      description="It is stored sealed. Nobody can read it again, only runs get it."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            form="secret"
            variant="primary"
            busy={isBusy}
            disabled={name.trim() === '' || value === '' || (isBound && places.length + typed.projects.length === 0)}
          >
            Store
          </Button>
        </>
      }
    >
      <form
        id="secret"
        autoComplete="off"
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <SecretFields
          typed={typed}
          isNew={secret === undefined}
          isBound={isBound}
          fault={fault}
          onChange={(change) => setTyped({ ...typed, ...change })}
        />
        {projects !== undefined && (
          <SecretProjects
            projects={projects}
            chosen={typed.projects}
            isBound={isBound}
            onChange={(chosen) => setTyped({ ...typed, projects: chosen })}
          />
        )}
        {isKey && (
          <KeyTest
            key={`${name} ${value}`}
            name={name.trim()}
            disabled={value === ''}
            onTest={() => onTest(name.trim(), value)}
          />
        )}
      </form>
    </Dialog>
  );
}

/** What was typed. `hosts` is a list with commas. */
interface Typed {
  readonly name: string;
  readonly value: string;
  readonly hosts: string;
  readonly projects: readonly string[];
}

interface SecretFieldsProps {
  readonly typed: Typed;
  readonly isNew: boolean;
  /** True if hosts or projects are needed. */
  readonly isBound: boolean;
  readonly fault: string | undefined;
  readonly onChange: (change: Partial<Typed>) => void;
}

function SecretFields({ typed, isNew, isBound, fault, onChange }: SecretFieldsProps) {
  return (
    <>
      {isNew && (
        <Field label="Name" hint="Servers use it as ${NAME}. A key of a model provider has the name of its variable.">
          {(ids) => (
            <Input
              {...ids}
              autoFocus
              className="font-mono"
              placeholder="GITHUB_TOKEN"
              value={typed.name}
              maxLength={100}
              spellCheck={false}
              onChange={(event) => onChange({ name: event.currentTarget.value })}
            />
          )}
        </Field>
      )}
      <Field label="Value" error={fault}>
        {(ids) => (
          <Input
            {...ids}
            type="password"
            autoComplete="new-password"
            autoFocus={!isNew}
            className="font-mono"
            value={typed.value}
            onChange={(event) => onChange({ value: event.currentTarget.value })}
          />
        )}
      </Field>
      <Field
        label={isBound ? 'Only for (needed, or projects)' : 'Only for (optional)'}
        hint={
          isBound
            ? 'Hosts such as api.github.com; server:NAME for one that is started. Without hosts or projects, who may edit any project could send it anywhere.'
            : 'Hosts such as api.github.com; server:NAME for one that is started. Empty: every server that uses it.'
        }
      >
        {(ids) => (
          <Input
            {...ids}
            className="font-mono"
            value={typed.hosts}
            spellCheck={false}
            onChange={(event) => onChange({ hosts: event.currentTarget.value })}
          />
        )}
      </Field>
    </>
  );
}
