'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';

interface ProofProps {
  /** Without a password the server asks for a sign-in that is not long ago. */
  readonly hasPassword?: boolean;
  /** The first one is pressed by Enter. */
  readonly buttons: readonly { readonly label: string; readonly work: (password: string) => Promise<void> }[];
}

/** Asks for the password again, because a browser may have been left open. */
export function Proof({ hasPassword = true, buttons }: ProofProps) {
  const [password, setPassword] = useState('');
  const { fault, isBusy, attempt } = useAttempt();
  const run = (work: ProofProps['buttons'][number]['work']) =>
    void attempt(async () => {
      await work(password);
      setPassword('');
    });
  return (
    <form
      className="flex flex-wrap items-start gap-3 px-4 py-3"
      onSubmit={(event) => {
        event.preventDefault();
        const [first] = buttons;
        if (first !== undefined && (!hasPassword || password !== '')) run(first.work);
      }}
    >
      {hasPassword ? (
        <div className="w-64">
          <Field label="Your password" error={fault}>
            {(ids) => (
              <Input
                {...ids}
                type="password"
                autoComplete="current-password"
                value={password}
                onChange={(event) => setPassword(event.target.value)}
              />
            )}
          </Field>
        </div>
      ) : (
        <p className="basis-full text-muted text-xs">This works for ten minutes after you sign in.</p>
      )}
      <div className={hasPassword ? 'flex flex-wrap gap-2 pt-5' : 'flex flex-wrap gap-2'}>
        {buttons.map(({ label, work }, index) => (
          <Button
            key={label}
            type={index === 0 ? 'submit' : 'button'}
            disabled={isBusy || (hasPassword && password === '')}
            {...(index > 0 && { onClick: () => run(work) })}
          >
            {label}
          </Button>
        ))}
      </div>
      {!hasPassword && fault !== undefined && (
        <p role="alert" className="basis-full text-bad text-xs">
          {fault}
        </p>
      )}
    </form>
  );
}

/** Runs work, and keeps the sentence of what went wrong. */
export function useAttempt() {
  const [fault, setFault] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const attempt = async (work: () => Promise<void>) => {
    setBusy(true);
    setFault(undefined);
    try {
      await work();
    } catch (error) {
      setFault(error instanceof Error ? error.message : 'Nothing was changed. Try again.');
    }
    setBusy(false);
  };
  return { fault, isBusy, attempt };
}
