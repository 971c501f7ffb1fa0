import { leadTo } from '@/app/accounts/account-gate';
import { accountForm, accountPage, formAgain } from '@/app/accounts/account-route';
import { accountFormPage } from '@/app/accounts/form-pages';
import { plainResponse } from '@/app/plain-page';
import { tryLink } from '@/lib/server/accounts/link-tries';
import { checkSetupLink, setUp } from '@/lib/server/accounts/setup';
import { openSession } from '@/lib/server/accounts/sign-in';

const pageOf = (token: string, name = '', email = '', problem?: string) =>
  accountFormPage({
    title: 'Set up Callboard',
    intro: 'Make the account of the first administrator. Everybody else is invited.',
    action: '/setup',
    token,
    name,
    email: { value: email, fixed: false },
    button: 'Make account',
    problem,
  });

/** Opening the link changes nothing: programs that look at links do so too. */
export const GET = accountPage(async ({ request, store, query }) => {
  const token = query.get('token') ?? '';
  await tryLink(store, request, () => checkSetupLink(store, token));
  return plainResponse(pageOf(token), 200);
});

export const POST = accountForm(async ({ request, store, form }) => {
  const [token = '', name = '', email = '', password = ''] = ['token', 'name', 'email', 'password'].map(
    (field) => form.get(field)?.slice(0, 1_000) ?? '',
  );
  await tryLink(store, request, () => checkSetupLink(store, token));
  try {
    const id = await setUp(store, token, { name, email, password });
    const { cookies } = await openSession(store, request, id, 'password');
    return leadTo(request, '/', cookies);
  } catch (error) {
    return formAgain(error, (problem) => pageOf(token, name, email, problem));
  }
});
