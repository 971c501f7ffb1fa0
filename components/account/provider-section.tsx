import type { OwnAccountPart } from './own-account-types';
import { Proof } from './proof';

/** Unlinks the identity at the provider of sign-ins. */
export function ProviderSection({ account, services, onChange }: OwnAccountPart) {
  return (
    <>
      <p className="max-w-prose px-4 pt-3 text-muted text-sm">
        The provider signs you in by one identity there, and by no other one with your e-mail address. If the provider
        gave you a new identity, unlink the old one and sign in with the provider: the next identity whose verified
        address is yours is linked.
      </p>
      <Proof
        hasPassword={account.hasPassword}
        buttons={[
          { label: 'Unlink identity', work: async (password) => onChange(await services.unlinkIdentity(password)) },
        ]}
      />
    </>
  );
}
