import type { OidcSettings } from '@/lib/server/settings/oidc-settings';
import type { Store } from '@/lib/store/database';
import { openInvitationsOf } from '@/lib/store/invitations';

/** Why somebody whom the provider has signed in may not come in. The sign-in page has a sentence for each. */
export const providerRefusals = ['wrong_domain', 'unverified_address', 'not_invited'] as const;
export type ProviderRefusal = (typeof providerRefusals)[number];

export interface ProviderPerson {
  readonly email: string;
  readonly emailVerified: boolean;
}

/** What would happen next: somebody who came before, a known address for the first time, or a new person. */
export type ProviderStep = 'sign-in' | 'link-account' | 'create-user';

/**
 * Decides whether a person of the provider may come in. Somebody who came before is known by the provider's id. For the first time the
 * address decides, so it must be verified, and must be that of a person here or of an invitation, unless everybody of the domain may come.
 */
export async function refuseProviderPerson(
  store: Store,
  oidc: OidcSettings,
  step: ProviderStep,
  { email, emailVerified }: ProviderPerson,
): Promise<ProviderRefusal | undefined> {
  const domain = email.toLowerCase().split('@').at(-1) ?? '';
  if (oidc.domains.length > 0 && !oidc.domains.includes(domain)) return 'wrong_domain';
  if (step === 'sign-in') return undefined;
  if (!emailVerified && !oidc.trustsAddresses) return 'unverified_address';
  if (step === 'link-account' || oidc.createsPeople) return undefined;
  return (await openInvitationsOf(store.pool, email.toLowerCase())).length > 0 ? undefined : 'not_invited';
}

/** What the sign-in page says when the provider's way back ends with an error. */
export function providerSentence(error: string): string {
  switch (error) {
    case 'wrong_domain':
      return 'The provider knows you by an e-mail address of a domain that may not sign in here. Ask an administrator.';
    case 'unverified_address':
      return 'The provider has not verified your e-mail address, so it cannot sign you in here. Verify it there, or use another way.';
    case 'not_invited':
    case 'signup_disabled':
      return 'You have no account here. Ask an administrator to invite the e-mail address by which the provider knows you.';
    case 'access_denied':
      return 'The provider was told not to sign you in. Try again, or use another way.';
    case 'state_mismatch':
    case 'please_restart_the_process':
    case 'state_not_found':
      return 'The sign-in took too long, or began in another browser. Try again.';
    default:
      return 'The provider could not sign you in. Try again, or use another way.';
  }
}
