'use client';

import { useEffect, useId, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Checkbox } from '@/components/ui/checkbox';
import { CopyButton } from '@/components/ui/copy-button';
import { Dialog } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Select } from '@/components/ui/select';
import { longestShareHours, usualShareHours } from '@/lib/base/share-request';
import { ShareLinks } from './share-links';
import type { ShareServices, ShownShareLink } from './share-services';

const lifetimes = [
  { value: '1', label: 'In an hour' },
  { value: '24', label: 'In a day' },
  { value: `${usualShareHours}`, label: 'In 7 days' },
  { value: '720', label: 'In 30 days' },
  { value: `${longestShareHours}`, label: 'In 90 days' },
];

export interface ShareDialogProps {
  readonly services: ShareServices;
  readonly onClose: () => void;
}

/** Makes links that show a run to people without an account, and lists those that do so now. */
export function ShareDialog({ services, onClose }: ShareDialogProps) {
  const [links, setLinks] = useState<readonly ShownShareLink[]>();
  const [hours, setHours] = useState(usualShareHours);
  const [texts, setTexts] = useState(false);
  const [address, setAddress] = useState<string>();
  const [fault, setFault] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const attempt = async (work: () => Promise<void>) => {
    setBusy(true);
    setFault(undefined);
    try {
      await work();
    } catch (error) {
      setFault(error instanceof Error ? error.message : 'That did not work. Try again.');
    }
    setBusy(false);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the dialog opens
  useEffect(() => {
    void attempt(async () => setLinks(await services.list()));
  }, []);
  const make = () =>
    attempt(async () => {
      const made = await services.make({ hours, texts });
      setAddress(`${location.origin}/share/${made.token}`);
      setLinks(made.links);
    });
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Share this run"
      width="md"
      description="Whoever has the link sees this run, without an account, and can change nothing."
      footer={<Button onClick={onClose}>Close</Button>}
    >
      {/* Whoever may not share is told so, and is asked nothing. */}
      {links !== undefined && (
        <div className="flex flex-col gap-4">
          <div className="flex flex-wrap items-end gap-x-4 gap-y-3">
            <Field label="Expires">
              {({ id }) => (
                <Select
                  id={id}
                  value={`${hours}`}
                  onValueChange={(value) => setHours(Number(value))}
                  options={lifetimes}
                />
              )}
            </Field>
            <TextsChoice texts={texts} onChange={setTexts} />
            <Button variant="primary" busy={isBusy} onClick={() => void make()}>
              Make link
            </Button>
          </div>
          {address !== undefined && <NewLink address={address} />}
          <ShareLinks links={links} onRevoke={(id) => void attempt(async () => setLinks(await services.revoke(id)))} />
        </div>
      )}
      {links === undefined && fault === undefined && (
        <p role="status" className="text-muted text-sm">
          Loading
        </p>
      )}
      {fault !== undefined && (
        <p role="alert" className="mt-3 text-bad text-sm">
          {fault}
        </p>
      )}
    </Dialog>
  );
}

function TextsChoice({ texts, onChange }: { readonly texts: boolean; readonly onChange: (texts: boolean) => void }) {
  const hint = useId();
  return (
    <div className="min-w-0 flex-1 basis-60">
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the checkbox is its control */}
      <label className="-ml-2 flex cursor-pointer items-center gap-1">
        <Checkbox label="With texts" checked={texts} onToggle={() => onChange(!texts)} />
        <span aria-hidden className="text-ink text-sm">
          With texts
        </span>
      </label>
      <p id={hint} className="text-muted text-xs">
        {texts
          ? 'Messages, arguments, results and errors are shown. Read them first.'
          : 'Only times, states, tokens, cost, and names of agents, tools and models are shown.'}
      </p>
    </div>
  );
}

function NewLink({ address }: { readonly address: string }) {
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname);
  return (
    <div role="status" className="rounded border bg-sunken px-3 py-2 text-sm">
      <p className="mb-1 text-ink">Copy the link now. It is not shown again.</p>
      <p className="flex items-center gap-2">
        <code className="min-w-0 flex-1 break-all font-mono text-xs">{address}</code>
        <CopyButton text={address} label="Copy link" />
      </p>
      {isLocal && (
        <p className="mt-1 text-muted text-xs">
          Callboard was opened at an address of this computer, so this link works on this computer only.
        </p>
      )}
    </div>
  );
}
