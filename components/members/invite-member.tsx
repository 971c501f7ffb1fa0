import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Checkbox } from '@/components/ui/checkbox';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { Select } from '@/components/ui/select';
import { type Role, roles } from '@/lib/base/rights';
import { roleOptions } from './role-words';

export interface InviteMemberProps {
  /** Resolves to false if it failed. */
  readonly onInvite: (input: {
    readonly email: string;
    readonly role: Role;
    readonly answers: boolean;
  }) => Promise<boolean>;
}

/** Invites an address to the project. */
export function InviteMember({ onInvite }: InviteMemberProps) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('editor');
  const [answers, setAnswers] = useState(true);
  const [busy, setBusy] = useState(false);
  const send = async () => {
    setBusy(true);
    if (await onInvite({ email: email.trim(), role, answers })) setEmail('');
    setBusy(false);
  };
  return (
    <form
      aria-label="Invite"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
      className="flex flex-wrap items-end gap-x-3 gap-y-2 rounded-lg border bg-surface px-4 py-3 shadow-card"
    >
      <div className="min-w-0 flex-1 basis-56">
        <Field label="E-mail">
          {(field) => (
            <Input
              {...field}
              type="email"
              required
              maxLength={300}
              value={email}
              onChange={(event) => setEmail(event.currentTarget.value)}
            />
          )}
        </Field>
      </div>
      <div className="w-32">
        <Field label="Role">
          {(field) => (
            <Select
              {...field}
              value={role}
              onValueChange={(value) => setRole(roles.find((each) => each === value) ?? role)}
              options={roleOptions}
            />
          )}
        </Field>
      </div>
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the checkbox is its control */}
      <label className="-ml-2 flex cursor-pointer items-center">
        <Checkbox label="Answers questions" checked={answers} onToggle={() => setAnswers(!answers)} />
        <span aria-hidden className="text-ink text-sm">
          Answers questions
        </span>
      </label>
      <Button type="submit" variant="primary" busy={busy}>
        Invite
      </Button>
    </form>
  );
}
