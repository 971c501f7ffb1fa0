import { leadTo } from '@/app/accounts/account-gate';
import { accountForm, accountPage, formAgain } from '@/app/accounts/account-route';
import { accountFormPage, joinPage } from '@/app/accounts/form-pages';
import { type PlainPage, plainResponse } from '@/app/plain-page';
import {
  acceptWithAccount,
  acceptWithNewAccount,
  readInvitationLink,
  type ShownInvitation,
} from '@/lib/server/accounts/accept-invitation';
import { tryLink } from '@/lib/server/accounts/link-tries';
import { resolveSession } from '@/lib/server/accounts/resolve-actor';
import { openSession } from '@/lib/server/accounts/sign-in';
import { webEnv } from '@/lib/server/settings/web-env';

export const GET = accountPage(async ({ request, store, query }) => {
  const token = query.get('token') ?? '';
  const invitation = await tryLink(store, request, () => readInvitationLink(store, token));
  return plainResponse(await pageOf(request, token, invitation), 200);
});

/** Takes `name` and `password` for a new account, or `join` of somebody who is signed in. */
export const POST = accountForm(async ({ request, store, form }) => {
  const token = form.get('token') ?? '';
  const invitation = await tryLink(store, request, () => readInvitationLink(store, token));
  const [name, password] = [form.get('name') ?? '', (form.get('password') ?? '').slice(0, 1_000)];
  const to = invitation.project === null ? '/' : `/p/${invitation.project}`;
  const session = await resolveSession(request.headers);
  try {
    if (form.get('join') !== null && session !== undefined) {
      await acceptWithAccount(store, token, { id: session.userId, email: session.email });
      return leadTo(request, to);
    }
    const id = await acceptWithNewAccount(store, token, { name, password });
    return leadTo(request, to, (await openSession(store, request, id, 'invitation')).cookies);
  } catch (error) {
    const page = await pageOf(request, token, invitation, error instanceof Error ? error.message : undefined, name);
    return formAgain(error, () => page);
  }
});

async function pageOf(
  request: Request,
  token: string,
  invitation: ShownInvitation,
  problem?: string,
  name = '',
): Promise<PlainPage> {
  const { email, projectName, role, administrator, invitedBy, hasAccount } = invitation;
  const toWhat = projectName === null ? 'this Callboard' : `the project ${projectName}`;
  const asWhat = [...(role === null ? [] : [role]), ...(administrator ? ['administrator'] : [])].join(' and ');
  const intro = `${invitedBy} invites ${email} to ${toWhat}${asWhat === '' ? '' : ` as ${asWhat}`}.`;
  const session = await resolveSession(request.headers);
  if (hasAccount || session !== undefined) {
    const offers = session === undefined ? 'sign in' : session.email === email ? 'join' : 'sign out';
    const you =
      offers === 'sign out'
        ? ` You are signed in as ${session?.email}. Signing out discards edits that this browser has not saved.`
        : '';
    const here = `/invite?token=${encodeURIComponent(token)}`;
    return joinPage({ intro: `${intro}${you}`, token, problem, offers, here });
  }
  return accountFormPage({
    title: 'Welcome to Callboard',
    intro,
    action: '/invite',
    token,
    name,
    email: { value: email, fixed: true },
    button: 'Make account',
    problem,
    provider: webEnv().oidc?.label,
  });
}
