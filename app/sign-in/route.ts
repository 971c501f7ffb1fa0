import { leadTo, safePath } from '@/app/accounts/account-gate';
import { accountForm, formAgain } from '@/app/accounts/account-route';
import { readBytes } from '@/app/api/read-body';
import { respondToAnyone } from '@/app/api/respond';
import { AppError } from '@/lib/base/app-error';
import { signInWithPassword } from '@/lib/server/accounts/sign-in';
import { accountsAreOn } from '@/lib/server/settings/process-env';
import { accountSignIn, serveAccountSignIn } from './account-sign-in';
import { servePlainSignIn, serveSignIn } from './sign-in';

const longestForm = 16 * 1024;

/** Shows the sign-in page. Without accounts the proxy shows its own to whoever is not signed in. */
export const GET = respondToAnyone(async (request) => {
  return accountsAreOn() ? await serveAccountSignIn(request) : servePlainSignIn('/', undefined);
});

/** Takes the form: `email` and `password`, or without accounts `token`; and `to`, the page to continue with. */
export const POST = respondToAnyone<Record<never, string>>(async (request, params) => {
  if (accountsAreOn()) return await withAccount(request, { params: Promise.resolve(params) });
  const form = new URLSearchParams(new TextDecoder().decode(await readBytes(request, longestForm)));
  return serveSignIn(request, form.get('token') ?? '', form.get('to') ?? '/', performance.now());
});

const withAccount = accountForm(async ({ request, store, form }) => {
  const [email, to] = [(form.get('email') ?? '').slice(0, 300), safePath(form.get('to'))];
  try {
    const { next, cookies } = await signInWithPassword(store, request, { email, password: form.get('password') ?? '' });
    return leadTo(request, next === 'code' ? `/sign-in/code?to=${encodeURIComponent(to)}` : to, cookies);
  } catch (error) {
    const problem = error instanceof AppError ? error.message : '';
    const page = await accountSignIn(request, { to, email, problem });
    return formAgain(error, () => page);
  }
});
