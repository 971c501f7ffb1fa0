'use client';

import { use, useId, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { Select } from '@/components/ui/select';
import { keyedProviders, providerOfKey } from '@/lib/cards/models/missing-key';
import { everyProject, KeyContext, type KeyPlaces, useKeyPlaces } from './key-context';
import { KeyTest } from './key-test';
import { useStoring } from './use-storing';

interface SetKeyDialogProps {
  /** The variable of the key; `undefined` lets the person choose the provider. */
  readonly variable: string | undefined;
  /** Where the key is stored unless the person chooses otherwise: the id of the project of the page, or `everyProject`. */
  readonly place?: string | undefined;
  readonly onClose: () => void;
}

/** Takes a key of a model provider, tries it there, and stores it. The page goes on as it is. */
export function SetKeyDialog({ variable: asked, place: first, onClose }: SetKeyDialogProps) {
  const desk = use(KeyContext);
  const places = useKeyPlaces();
  const form = useId();
  const [variable, setVariable] = useState(asked ?? keyedProviders()[0]?.variable ?? '');
  const [chosen, setChosen] = useState(first);
  const title = providerOfKey(variable);
  const place = chosen ?? (places?.may && !places.everywhere && places.project ? places.project.id : everyProject);
  const project = place === everyProject ? undefined : place;
  const storing = useStoring({
    store: async (text) => desk?.services.store(project, variable, text),
    said: `The key of ${title} is stored. Runs that begin now use it.`,
    onClose,
  });
  if (desk === undefined || places?.may !== true) return null;
  const { value: key, setValue: setKey, fault, isBusy, isWhole, submit } = storing;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={asked === undefined ? 'Set a key' : `Key of ${title}`}
      description="It is stored sealed and goes to the provider alone. Nobody can read it again."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} variant="primary" busy={isBusy} disabled={!isWhole}>
            Store
          </Button>
        </>
      }
    >
      <form id={form} autoComplete="off" className="flex flex-col gap-3" onSubmit={(event) => void submit(event)}>
        {asked === undefined && <ProviderSelect variable={variable} onChange={setVariable} />}
        <Field label="Key" hint={<code className="font-mono">{variable}</code>} error={fault}>
          {(ids) => (
            <Input
              {...ids}
              type="password"
              autoComplete="new-password"
              data-first-focus
              className="font-mono"
              value={key}
              onChange={(event) => setKey(event.currentTarget.value)}
            />
          )}
        </Field>
        <PlaceSelect places={places} place={place} onChange={setChosen} />
        <KeyTest
          key={`${variable} ${key}`}
          name={`the key of ${title}`}
          disabled={key.trim() === ''}
          onTest={() => desk.services.test(project, variable, key.trim())}
        />
      </form>
    </Dialog>
  );
}

function ProviderSelect(props: { readonly variable: string; readonly onChange: (variable: string) => void }) {
  return (
    <Field label="Provider">
      {(ids) => (
        <Select
          {...ids}
          value={props.variable}
          onValueChange={props.onChange}
          options={keyedProviders().map(({ title, variable }) => ({ value: variable, label: title }))}
        />
      )}
    </Field>
  );
}

interface PlaceSelectProps {
  readonly places: Extract<KeyPlaces, { may: true }>;
  readonly place: string;
  readonly onChange: (place: string) => void;
}

/** Chooses for which projects the key is, where there is a choice. */
function PlaceSelect({ places: { everywhere, project }, place, onChange }: PlaceSelectProps) {
  if (project === undefined) return <p className="text-muted text-xs">For the models of every project.</p>;
  if (!everywhere) return <p className="break-words text-muted text-xs">For the models of {project.name} alone.</p>;
  return (
    <Field label="For the models of">
      {(ids) => (
        <Select
          {...ids}
          value={place}
          onValueChange={onChange}
          options={[
            { value: everyProject, label: 'Every project' },
            { value: project.id, label: project.name },
          ]}
        />
      )}
    </Field>
  );
}
