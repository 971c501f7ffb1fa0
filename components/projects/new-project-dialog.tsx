'use client';

import { CircleCheck, FilePlus2 } from 'lucide-react';
import { RadioGroup } from 'radix-ui';
import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react';
import { SetKey } from '@/components/keys/set-key';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import type { FirstModel } from '@/lib/cards/models/first-model';
import { findTemplates, type Template } from '@/lib/client/template-groups';
import { GraphSketch } from './graph-sketch';

export interface NewProjectDialogProps {
  readonly samples: readonly Template[];
  /** The model of a blank project; `undefined` if no key is set. */
  readonly firstModel: FirstModel | undefined;
  readonly busy: boolean;
  readonly onClose: () => void;
  /** Creates a project; with `sample` undefined it is empty. `byPointer` is true after mouse or touch. */
  readonly onCreate: (name: string, sample: string | undefined, byPointer: boolean) => void;
}

const blank = 'blank';

export function NewProjectDialog({ samples, firstModel, busy, onClose, onCreate }: NewProjectDialogProps) {
  const [start, setStart] = useState(blank);
  const [typed, setTyped] = useState('');
  const [search, setSearch] = useState('');
  const form = useId();
  /** True if the button was pressed by mouse or touch: a press by key counts no clicks. */
  const byPointer = useRef(false);
  const sample = samples.find(({ id }) => id === start);
  const name = typed.trim() || sample?.title || 'Untitled';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // The keys of who works by keyboard go to the canvas next.
    onCreate(name, sample?.id, byPointer.current);
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="New project"
      width="md"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            form={form}
            variant="primary"
            busy={busy}
            onClick={(event) => {
              byPointer.current = event.detail > 0;
            }}
          >
            Create project
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit} className="flex flex-col gap-4">
        <Field label="Name">
          {(ids) => (
            <Input
              {...ids}
              value={typed}
              maxLength={200}
              placeholder={sample?.title ?? 'Untitled'}
              onChange={(event) => setTyped(event.target.value)}
            />
          )}
        </Field>
        {/* Above the templates, which fill more than a window. */}
        {start === blank && firstModel === undefined ? <NoKey /> : null}
        {samples.length === 0 ? null : (
          <Input
            type="search"
            aria-label="Search templates"
            placeholder="Search templates"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
            // Enter in the search is not yet a wish for a project.
            onKeyDown={(event) => (event.key === 'Enter' ? event.preventDefault() : undefined)}
          />
        )}
        <RadioGroup.Root
          value={start}
          onValueChange={setStart}
          aria-label="Start from"
          className="grid gap-2 sm:grid-cols-2"
        >
          <BlankChoice firstModel={firstModel} />
          <TemplateChoices samples={samples} search={search} />
        </RadioGroup.Root>
      </form>
    </Dialog>
  );
}

function BlankChoice({ firstModel }: Pick<NewProjectDialogProps, 'firstModel'>) {
  return (
    <Choice value={blank} icon={<FilePlus2 aria-hidden />} title="Blank">
      {firstModel === undefined ? (
        'One agent card, ready to run.'
      ) : (
        <>
          One agent card, ready to run on <span className="break-all font-mono">{firstModel.model}</span>.
        </>
      )}
    </Choice>
  );
}

/** The templates that have the words of a search, by group. */
function TemplateChoices({ samples, search }: { readonly samples: readonly Template[]; readonly search: string }) {
  const groups = findTemplates(samples, search);
  return (
    <>
      {groups.map(({ group, templates }) => (
        <section key={group} aria-label={group} className="grid gap-2 sm:col-span-2 sm:grid-cols-2">
          <h3 className="font-medium text-muted text-xs sm:col-span-2">{group}</h3>
          {templates.map((each) => (
            <Choice
              key={each.id}
              value={each.id}
              icon={
                <span className="h-10 w-20 shrink-0">
                  <GraphSketch sketch={each.sketch} />
                </span>
              }
              title={each.short}
              needs={each.needs}
            >
              {each.description}
            </Choice>
          ))}
        </section>
      ))}
      {groups.length === 0 && search !== '' ? (
        <p role="status" className="text-muted text-sm sm:col-span-2">
          No template has these words.
        </p>
      ) : null}
    </>
  );
}

function NoKey() {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 text-muted text-xs">
      <p className="min-w-0 flex-1 basis-60">
        No key of a model provider is set, so the test model <span className="font-mono">passthrough</span> answers: it
        repeats each message.
      </p>
      <SetKey variable={undefined} />
    </div>
  );
}

const needWords = { python: 'Needs Python', key: 'Needs a key', remote: 'Needs its remote agent, see README' } as const;

interface ChoiceProps {
  readonly value: string;
  readonly icon: ReactNode;
  readonly title: string;
  readonly needs?: Template['needs'];
  readonly children: ReactNode;
}

function Choice(props: ChoiceProps) {
  return (
    <RadioGroup.Item
      value={props.value}
      className="flex cursor-pointer items-start gap-2.5 rounded-lg border bg-surface p-3 text-left transition-colors duration-100 hover:border-line-strong data-[state=checked]:border-accent data-[state=checked]:bg-accent-soft [&>svg]:mt-0.5 [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-muted"
    >
      {props.icon}
      <span className="min-w-0">
        <span className="block font-medium text-ink text-sm">{props.title}</span>
        <span className="block text-muted text-xs">{props.children}</span>
        {props.needs?.map((need) => (
          <Badge key={need} className="mt-1 mr-1">
            {needWords[need]}
          </Badge>
        ))}
        {props.needs === undefined || props.needs.includes('key') ? null : (
          <Badge className="mt-1 mr-1">Needs no key</Badge>
        )}
      </span>
      <RadioGroup.Indicator className="ml-auto text-accent [&>svg]:size-4">
        <CircleCheck aria-hidden />
      </RadioGroup.Indicator>
    </RadioGroup.Item>
  );
}
