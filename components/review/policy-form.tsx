'use client';

import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Checkbox } from '@/components/ui/checkbox';
import { Field } from '@/components/ui/field';
import { IconButton } from '@/components/ui/icon-button';
import { Input } from '@/components/ui/input';
import type { ReviewPolicy } from '@/lib/base/review-policy';
import type { Done } from './review-types';
import { type OwnerLine, ownerLines, typedPolicy } from './typed-policy';

/** Changes what a project asks: approvals, whether authors count, and owners of paths and agents. */
export function PolicyForm(props: {
  readonly policy: ReviewPolicy;
  readonly onSave: (policy: ReviewPolicy) => Done;
  readonly onClose: () => void;
}) {
  const { policy, onSave, onClose } = props;
  const [approvals, setApprovals] = useState(String(policy.approvals));
  const [authorMayApprove, setAuthorMayApprove] = useState(policy.authorMayApprove);
  const [owners, setOwners] = useState(() => ownerLines(policy));
  const [fault, setFault] = useState<string>();
  const [busy, setBusy] = useState(false);
  return (
    <form
      aria-label="What this project requires"
      className="flex flex-col gap-3 rounded-lg border bg-surface p-4 shadow-card"
      onSubmit={async (event) => {
        event.preventDefault();
        const typed = typedPolicy({ approvals, authorMayApprove, owners });
        if (!typed.ok) return setFault(typed.error);
        setBusy(true);
        const refused = await onSave(typed.value);
        setBusy(false);
        setFault(refused);
        if (refused === undefined) onClose();
      }}
    >
      <div className="max-w-40">
        <Field label="Approvals" hint="With 0 no approval is needed.">
          {(ids) => (
            <Input
              {...ids}
              type="number"
              min={0}
              max={20}
              value={approvals}
              onChange={(event) => setApprovals(event.target.value)}
            />
          )}
        </Field>
      </div>
      <div className="flex items-center gap-2 text-ink text-sm">
        <Checkbox
          label="Authors may approve"
          checked={authorMayApprove}
          onToggle={() => setAuthorMayApprove(!authorMayApprove)}
        />
        <span aria-hidden>Authors may approve</span>
      </div>
      <OwnerFields owners={owners} onChange={setOwners} />
      {fault !== undefined && (
        <p role="alert" className="text-bad text-sm">
          {fault}
        </p>
      )}
      <div className="flex gap-2">
        <Button type="submit" variant="primary" busy={busy}>
          Store
        </Button>
        <Button variant="ghost" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

function OwnerFields(props: {
  readonly owners: readonly OwnerLine[];
  readonly onChange: (owners: readonly OwnerLine[]) => void;
}) {
  const { owners, onChange } = props;
  const change = (at: number, line: Partial<OwnerLine>) =>
    onChange(owners.map((each, index) => (index === at ? { ...each, ...line } : each)));
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 font-medium text-muted text-xs">
        Owners. A path such as prompts/*, or agent: and a name, needs one of these people.
      </legend>
      {owners.map((owner, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name, and their fields are controlled
        <div key={at} className="flex flex-wrap items-start gap-2">
          <div className="min-w-0 flex-1 basis-40">
            <Input
              aria-label={`Path or agent ${at + 1}`}
              placeholder="hooks/* or agent:mailer"
              value={owner.pattern}
              onChange={(event) => change(at, { pattern: event.target.value })}
            />
          </div>
          <div className="min-w-0 flex-1 basis-40">
            <Input
              aria-label={`Mail addresses ${at + 1}`}
              placeholder="ann@example.org, bob@example.org"
              value={owner.people}
              onChange={(event) => change(at, { people: event.target.value })}
            />
          </div>
          <IconButton
            label={`Remove owner ${at + 1}`}
            icon={<X aria-hidden />}
            onClick={() => onChange(owners.filter((_, index) => index !== at))}
          />
        </div>
      ))}
      <Button size="sm" className="self-start" onClick={() => onChange([...owners, { pattern: '', people: '' }])}>
        <Plus aria-hidden className="size-3.5" />
        Add owner
      </Button>
    </fieldset>
  );
}
