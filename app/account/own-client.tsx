'use client';

import { type ReactNode, useState } from 'react';
import { unwrapAction } from '@/app/call-action';
import type { OwnAccountServices } from '@/components/account/own-account-types';
import { PasskeysSection } from '@/components/account/passkeys-section';
import { PasswordSection } from '@/components/account/password-section';
import { ProviderSection } from '@/components/account/provider-section';
import { SecondFactorSection } from '@/components/account/second-factor-section';
import { SessionsSection } from '@/components/account/sessions-section';
import type { OwnAccount } from '@/lib/base/own-account';
import {
  beginFactor,
  confirmFactor,
  deletePasskey,
  dropFactor,
  endSession,
  passkeyOptions,
  renewCodes,
  savePasskey,
  setPassword,
  unlinkIdentity,
} from './own-actions';

const services: OwnAccountServices = {
  setPassword: (present, next) => unwrapAction(() => setPassword({ present, next })),
  endSession: (session) => unwrapAction(() => endSession({ session })),
  passkeyOptions: (password) => unwrapAction(() => passkeyOptions({ password })),
  savePasskey: (name, credential) => unwrapAction(() => savePasskey({ name, credential })),
  deletePasskey: (passkey) => unwrapAction(() => deletePasskey({ passkey })),
  beginFactor: (password) => unwrapAction(() => beginFactor({ password })),
  confirmFactor: (code) => unwrapAction(() => confirmFactor({ code })),
  renewCodes: (password) => unwrapAction(() => renewCodes({ password })),
  dropFactor: (password) => unwrapAction(() => dropFactor({ password })),
  unlinkIdentity: (password) => unwrapAction(() => unlinkIdentity({ password })),
};

/** How a person gets in: password, passkeys, sessions. */
export function OwnSections({ first }: { readonly first: OwnAccount }) {
  const [account, setAccount] = useState(first);
  const part = { account, services, onChange: setAccount };
  return (
    <>
      <Framed title="Password">
        <PasswordSection {...part} />
      </Framed>
      <Framed title="Second factor">
        <SecondFactorSection {...part} />
      </Framed>
      <Framed title="Passkeys">
        <PasskeysSection {...part} />
      </Framed>
      {account.hasProvider && (
        <Framed title="Provider">
          <ProviderSection {...part} />
        </Framed>
      )}
      <Framed title="Sessions">
        <SessionsSection {...part} />
      </Framed>
    </>
  );
}

function Framed({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h2 className="mb-2 font-medium text-ink text-sm">{title}</h2>
      <div className="rounded-lg border bg-surface shadow-card">{children}</div>
    </section>
  );
}
