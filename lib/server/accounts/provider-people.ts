import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import { type OidcSettings, oidcProvider } from '@/lib/server/settings/oidc-settings';
import { appendAudit } from '@/lib/store/audit';
import type { Store } from '@/lib/store/database';
import { openInvitationsOf } from '@/lib/store/invitations';
import { findPerson } from '@/lib/store/people';
import { hasIdentity, removeIdentity } from '@/lib/store/provider-identities';
import { transaction } from '@/lib/store/transaction';

/** Why somebody whom the provider has signed in may not come in. The sign-in page has a sentence for each. */
export const providerRefusals = ['wrong_domain', 'unverified_address', 'not_invited', 'other_identity'] as const;
export type ProviderRefusal = (typeof providerRefusals)[number];

export interface ProviderPerson {
  /** The person here that the address belongs to. */
  readonly id?: string | undefined;
  readonly email: string;
  readonly emailVerified: boolean;
}

/** What would happen next: somebody who came before, a known address for the first time, or a new person. */
export type ProviderStep = 'sign-in' | 'link-account' | 'create-user';

/**
 * Decides whether a person of the provider may come in. Somebody who came before is known by the provider's id. For the first time the
 * address decides, so it must be verified, and must be that of a person here or of an invitation, unless everybody of the domain may come.
 * A person who came before never comes in by another id, because providers give an address to somebody else.
 */
export async function refuseProviderPerson(
  store: Store,
  oidc: OidcSettings,
  step: ProviderStep,
  { id, email, emailVerified }: ProviderPerson,
): Promise<ProviderRefusal | undefined> {
  const domain = email.toLowerCase().split('@').at(-1) ?? '';
  if (oidc.domains.length > 0 && !oidc.domains.includes(domain)) return 'wrong_domain';
  if (step === 'sign-in') return undefined;
  if (!emailVerified && !oidc.trustsAddresses) return 'unverified_address';
  if (step === 'link-account') {
    return id === undefined || (await hasIdentity(store, oidcProvider, id)) ? 'other_identity' : undefined;
  }
  if (oidc.createsPeople) return undefined;
  return (await openInvitationsOf(store.pool, email.toLowerCase())).length > 0 ? undefined : 'not_invited';
}

/** Records that the provider's id of a person is known from now on. */
export async function recordIdentity(store: Store, userId: string): Promise<void> {
  const person = await findPerson(store, { id: userId });
  if (person === undefined) return;
  const { email } = person;
  const actor = { by: email, via: 'web' };
  await appendAudit(store.pool, { actor, action: 'person.identity_linked', object: email, body: { email } });
}

/**
 * Forgets the provider's id of a person, so that the next one with the person's verified address is linked. Throws AppError `conflict` if
 * none is known.
 */
export async function forgetIdentity(
  store: Store,
  actor: Pick<Actor, 'by' | 'via'>,
  { userId, email }: { readonly userId: string; readonly email: string },
): Promise<void> {
  await transaction(store, async (connection) => {
    if (!(await removeIdentity(connection, oidcProvider, userId))) {
      throw new AppError('conflict', 'No identity of the provider is linked. Load the page again.');
    }
    await appendAudit(connection, { actor, action: 'person.identity_forgotten', object: email, body: { email } });
  });
}

/** What the sign-in page says when the provider's way back ends with an error. */
export function providerSentence(error: string): string {
  switch (error) {
    case 'wrong_domain':
      return 'The provider knows you by an e-mail address of a domain that may not sign in here. Ask an administrator.';
    case 'unverified_address':
      return 'The provider has not verified your e-mail address, so it cannot sign you in here. Verify it there, or use another way.';
    case 'other_identity':
      return 'Your account here is linked to another identity of the provider. Ask an administrator to unlink it, or sign in in another way and unlink it on Account. Then sign in with this one.';
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
