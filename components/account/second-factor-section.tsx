'use client';

import { type FormEvent, type ReactNode, useState } from 'react';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import type { NewFactor, OwnAccountPart } from './own-account-types';
import { Proof, useAttempt } from './proof';
import { QrCode } from './qr-code';

/** Switches the second factor on and off, and makes backup codes. */
export function SecondFactorSection({ account, services, onChange }: OwnAccountPart) {
  const [begun, setBegun] = useState<NewFactor>();
  const [codes, setCodes] = useState<readonly string[]>();
  const { hasPassword, backupCodesLeft, mustAddSecondFactor } = account;
  if (!hasPassword) {
    return <Text>You sign in without a password here, so no code is asked for. Your provider decides about that.</Text>;
  }
  if (codes !== undefined) return <BackupCodes codes={codes} onClose={() => setCodes(undefined)} />;
  if (begun !== undefined && backupCodesLeft === null) {
    return (
      <Confirm
        factor={begun}
        onCode={async (code) => {
          const confirmed = await services.confirmFactor(code);
          onChange(confirmed.account);
          setCodes(confirmed.codes);
          setBegun(undefined);
        }}
        onCancel={() => setBegun(undefined)}
      />
    );
  }
  if (backupCodesLeft === null) {
    return (
      <>
        {mustAddSecondFactor && (
          <p role="alert" className="px-4 pt-3 font-medium text-ink text-sm">
            Everybody here needs a second factor. Nothing else opens before you have one.
          </p>
        )}
        <Text>
          With a second factor your password alone signs nobody in: an app on your phone shows a code for each sign-in.
          A passkey needs no code, because it is a device and checks that it is you. Tokens need none either.
        </Text>
        <Proof
          buttons={[
            {
              label: 'Set up a second factor',
              work: async (password) => setBegun(await services.beginFactor(password)),
            },
          ]}
        />
      </>
    );
  }
  return (
    <>
      <Text>
        On. Each sign-in with your password asks for a code.{' '}
        {backupCodesLeft === 1 ? '1 backup code is left.' : `${backupCodesLeft} backup codes are left.`}
      </Text>
      <Proof
        buttons={[
          {
            label: 'New backup codes',
            work: async (password) => {
              const made = await services.renewCodes(password);
              onChange(made.account);
              setCodes(made.codes);
            },
          },
          { label: 'Switch off', work: async (password) => onChange(await services.dropFactor(password)) },
        ]}
      />
    </>
  );
}

function Text({ children }: { readonly children: ReactNode }) {
  return <p className="max-w-prose px-4 pt-3 text-muted text-sm last:pb-3">{children}</p>;
}

interface ConfirmProps {
  readonly factor: NewFactor;
  readonly onCode: (code: string) => Promise<void>;
  readonly onCancel: () => void;
}

/** Shows the secret to the app, and asks for a code of it. */
function Confirm({ factor, onCode, onCancel }: ConfirmProps) {
  const [code, setCode] = useState('');
  const { fault, isBusy, attempt } = useAttempt();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void attempt(() => onCode(code));
  };
  const grouped = factor.secret.match(/.{1,4}/g)?.join(' ') ?? '';
  return (
    <div className="flex flex-wrap gap-6 px-4 py-4">
      <QrCode text={factor.address} label="QR code for the app" />
      <form onSubmit={submit} className="flex min-w-0 flex-1 basis-64 flex-col gap-3">
        <p className="text-muted text-sm">
          Read the picture with an authenticator app, or type this secret into it. Then enter the code that it shows.
        </p>
        <p className="flex items-center gap-2">
          <code className="min-w-0 font-mono text-ink text-xs">{grouped}</code>
          <CopyButton text={factor.secret} label="Copy secret" />
        </p>
        <div className="w-40">
          <Field label="Code" error={fault}>
            {(ids) => (
              <Input
                {...ids}
                autoComplete="one-time-code"
                inputMode="numeric"
                maxLength={10}
                value={code}
                onChange={(event) => setCode(event.target.value)}
              />
            )}
          </Field>
        </div>
        <div className="flex flex-wrap gap-2">
          <Button type="submit" variant="primary" disabled={isBusy || code === ''}>
            Switch on
          </Button>
          <Button type="button" onClick={onCancel}>
            Cancel
          </Button>
        </div>
      </form>
    </div>
  );
}

function BackupCodes({ codes, onClose }: { readonly codes: readonly string[]; readonly onClose: () => void }) {
  return (
    <div className="flex flex-col gap-3 px-4 py-4">
      <p role="status" className="max-w-prose text-ink text-sm">
        These are your backup codes. Each signs you in once, without the app. Keep them where your phone is not: they
        are shown only now.
      </p>
      <ul aria-label="Backup codes" className="grid w-fit grid-cols-2 gap-x-8 gap-y-1 font-mono text-ink text-sm">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex items-center gap-2">
        <Button variant="primary" onClick={onClose}>
          I have kept them
        </Button>
        <CopyButton text={codes.join('\n')} label="Copy backup codes" />
      </div>
    </div>
  );
}
