'use client';

import { List } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { useProject } from '@/components/editor-state/project-context';
import { useCommands } from '@/components/editor-state/use-commands';
import { useKeyServices } from '@/components/keys/key-context';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { PickOne } from '@/components/ui/picker';
import { Select } from '@/components/ui/select';
import type { KeyReport } from '@/lib/base/key-report';
import { type AddressKind, addressKinds, secretOfSection } from './own-address-kinds';

interface OwnAddressDialogProps {
  readonly onClose: () => void;
}

interface Typed {
  readonly kind: AddressKind;
  readonly address: string;
  readonly key: string;
  readonly model: string | undefined;
}

const [firstKind] = addressKinds;

/** Takes an address of one's own for models of this project: its name, address and key, and asks it for its models. */
export function OwnAddressDialog({ onClose }: OwnAddressDialogProps) {
  const form = useId();
  const own = useOwnAddress(onClose);
  const { typed, change, report } = own;
  if (typed === undefined) return null;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Address of your own"
      description="A server that speaks OpenAI’s format. The address is written into the files of this project, the key is stored sealed."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} variant="primary" busy={own.isSaving} disabled={!own.isWhole}>
            Save
          </Button>
        </>
      }
    >
      <form
        id={form}
        autoComplete="off"
        className="flex flex-col gap-3"
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          event.stopPropagation();
          void own.save();
        }}
      >
        <AddressFields typed={typed} fault={own.fault} onChange={change} />
        <div className="flex flex-wrap items-center gap-2">
          <Button
            size="sm"
            icon={<List aria-hidden className="size-3.5" />}
            busy={own.isListing}
            disabled={!own.isWhole}
            onClick={() => void own.list()}
          >
            List models
          </Button>
          <span role="status" className="min-w-0 flex-1 break-words text-xs">
            {report !== undefined && (
              <span className={report.outcome === 'works' ? 'text-ok' : 'text-bad'}>{report.message}</span>
            )}
          </span>
        </div>
        <Field label="Default model" hint="For every card without a model of its own. Left empty, it stays as it is.">
          {(ids) => (
            <PickOne
              {...ids}
              label="Default model"
              freeText
              value={typed.model}
              none="As it is"
              searchPlaceholder="Search, or type a model"
              options={(report?.models ?? []).map((name) => ({ value: name, label: name }))}
              onChange={(model) => change({ model })}
            />
          )}
        </Field>
      </form>
    </Dialog>
  );
}

/** What the dialog holds, and what its buttons do. */
function useOwnAddress(onClose: () => void) {
  const services = useKeyServices();
  const commands = useCommands();
  const project = useProject((state) => state.projectId);
  const [typed, setTyped] = useState<Typed | undefined>(
    firstKind && { kind: firstKind, address: firstKind.address, key: '', model: undefined },
  );
  const [report, setReport] = useState<KeyReport>();
  const [fault, setFault] = useState<string>();
  const [busy, setBusy] = useState<'listing' | 'saving'>();
  const attempt = async (what: 'listing' | 'saving', work: () => Promise<void>) => {
    if (busy !== undefined) return;
    setBusy(what);
    setFault(undefined);
    try {
      await work();
    } catch (error) {
      setFault(error instanceof Error ? error.message : 'That did not work. Try again.');
    }
    setBusy(undefined);
  };
  const key = typed?.key.trim() === '' ? undefined : typed?.key.trim();
  return {
    typed,
    report,
    fault,
    isListing: busy === 'listing',
    isSaving: busy === 'saving',
    isWhole: typed !== undefined && URL.canParse(typed.address.trim()),
    change(part: Partial<Typed>) {
      if (typed === undefined) return;
      // What another address has listed says nothing of this one.
      if (part.address !== undefined || part.key !== undefined) setReport(undefined);
      setFault(undefined);
      setTyped({ ...typed, ...part });
    },
    list: () =>
      attempt('listing', async () => {
        if (typed === undefined || services === undefined) return;
        setReport(undefined);
        setReport(
          await services.listModels(project, { section: typed.kind.section, address: typed.address.trim(), key }),
        );
      }),
    save: () =>
      attempt('saving', async () => {
        if (typed === undefined || services === undefined) return;
        const { section } = typed.kind;
        const address = typed.address.trim();
        const secret = key === undefined ? undefined : secretOfSection(section);
        const model = typed.model === undefined ? undefined : `${section}.${typed.model}`;
        // A key is stored only for an address that the files have.
        if (!commands.setOwnAddress({ section, address, secret, model })) {
          throw new Error('The address could not be written into the files. The message on the page says why.');
        }
        if (secret !== undefined && key !== undefined) {
          await services.storeSecret(project, { name: secret, value: key, host: new URL(address).host });
        }
        onClose();
      }),
  };
}

interface AddressFieldsProps {
  readonly typed: Typed;
  readonly fault: string | undefined;
  readonly onChange: (part: Partial<Typed>) => void;
}

function AddressFields({ typed, fault, onChange }: AddressFieldsProps) {
  const written = useProject(({ picture }) => picture.drawn.config.providers[typed.kind.section]?.baseUrl);
  const replaces = written === undefined ? '' : ` It takes the place of ${written}.`;
  return (
    <>
      <Field label="Name" hint={`Models are named ${typed.kind.section}.MODEL.`}>
        {(ids) => (
          <Select
            {...ids}
            value={typed.kind.id}
            onValueChange={(id) => {
              const kind = addressKinds.find((each) => each.id === id);
              if (kind !== undefined) onChange({ kind, address: kind.address, model: undefined });
            }}
            options={addressKinds.map(({ id, title }) => ({ value: id, label: title }))}
          />
        )}
      </Field>
      <Field label="Address" hint={`${typed.kind.hint}${replaces}`} error={fault}>
        {(ids) => (
          <Input
            {...ids}
            className="font-mono"
            spellCheck={false}
            value={typed.address}
            onChange={(event) => onChange({ address: event.currentTarget.value })}
          />
        )}
      </Field>
      <Field label="Key (if it needs one)" hint="Stored as a secret of this project, for this address alone.">
        {(ids) => (
          <Input
            {...ids}
            type="password"
            autoComplete="new-password"
            className="font-mono"
            value={typed.key}
            onChange={(event) => onChange({ key: event.currentTarget.value })}
          />
        )}
      </Field>
    </>
  );
}
