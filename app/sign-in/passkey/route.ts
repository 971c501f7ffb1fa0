import { leadTo, safePath } from '@/app/accounts/account-gate';
import { accountForm, formAgain } from '@/app/accounts/account-route';
import { accountSignIn } from '@/app/sign-in/account-sign-in';
import { AppError } from '@/lib/base/app-error';
import { signInWithPasskey } from '@/lib/server/accounts/passkeys';

/** Takes `credential`, what a passkey has signed, as JSON. */
export const POST = accountForm(async ({ request, store, form }) => {
  const to = safePath(form.get('to'));
  try {
    const { cookies } = await signInWithPasskey(store, request, form.get('credential') ?? '');
    return leadTo(request, to, cookies);
  } catch (error) {
    const problem = error instanceof AppError ? error.message : '';
    const page = await accountSignIn(request, { to, problem });
    return formAgain(error, () => page);
  }
});
