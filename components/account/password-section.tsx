'use client';

import { type FormEvent, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { shortestPassword } from '@/lib/base/account-rules';
import type { OwnAccountPart } from './own-account-types';

/** Changes the password. */
export function PasswordSection({ account, services, onChange }: OwnAccountPart) {
  const [present, setPresent] = useState('');
  const [next, setNext] = useState('');
  const [fault, setFault] = useState<string>();
  const [said, setSaid] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setFault(undefined);
    setSaid(undefined);
    try {
      onChange(await services.setPassword(present, next));
      setPresent('');
      setNext('');
      setSaid('The password was changed. Other browsers are signed out.');
    } catch (error) {
      setFault(error instanceof Error ? error.message : 'The password was not changed. Try again.');
    }
    setBusy(false);
  };
  return (
    <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-3 px-4 py-3">
      <div className="grid gap-3 sm:grid-cols-2">
        {account.hasPassword && (
          <Field label="Present password">
            {(ids) => (
              <Input
                {...ids}
                type="password"
                autoComplete="current-password"
                value={present}
                onChange={(event) => setPresent(event.target.value)}
              />
            )}
          </Field>
        )}
        <Field label="New password" hint={`${shortestPassword} characters or more.`} error={fault}>
          {(ids) => (
            <Input
              {...ids}
              type="password"
              autoComplete="new-password"
              value={next}
              onChange={(event) => setNext(event.target.value)}
            />
          )}
        </Field>
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" disabled={isBusy || next === '' || (account.hasPassword && present === '')}>
          Change password
        </Button>
        <span role="status" className="text-muted text-xs">
          {said}
        </span>
      </div>
    </form>
  );
}
