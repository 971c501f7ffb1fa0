import { leadTo } from '@/app/accounts/account-gate';
import { accountForm, accountPage, formAgain } from '@/app/accounts/account-route';
import { accountFormPage } from '@/app/accounts/form-pages';
import { plainResponse } from '@/app/plain-page';
import { tryLink } from '@/lib/server/accounts/link-tries';
import { readResetLink, resetPassword } from '@/lib/server/accounts/passwords';

const pageOf = (token: string, email: string, problem?: string) =>
  accountFormPage({
    title: 'New password',
    intro:
      'Choose a new password. All browsers in which you are signed in are signed out, and your passkeys and tokens end.',
    action: '/reset',
    token,
    email: { value: email, fixed: true },
    button: 'Set password',
    problem,
  });

export const GET = accountPage(async ({ request, store, query }) => {
  const token = query.get('token') ?? '';
  const { email } = await tryLink(store, request, () => readResetLink(store, token));
  return plainResponse(pageOf(token, email), 200);
});

/** Whoever has a second factor still needs it, so nobody is signed in by the link alone. */
export const POST = accountForm(async ({ request, store, form }) => {
  const token = form.get('token') ?? '';
  const { email } = await tryLink(store, request, () => readResetLink(store, token));
  try {
    await resetPassword(store, token, (form.get('password') ?? '').slice(0, 1_000));
    return leadTo(request, '/sign-in?done=reset');
  } catch (error) {
    return formAgain(error, (problem) => pageOf(token, email, problem));
  }
});
