import { safePath } from '@/app/accounts/account-gate';
import { accountForm, formAgain } from '@/app/accounts/account-route';
import { towardsProviderPage } from '@/app/accounts/form-pages';
import { plainResponse } from '@/app/plain-page';
import { accountSignIn } from '@/app/sign-in/account-sign-in';
import { AppError } from '@/lib/base/app-error';
import { startProviderSignIn } from '@/lib/server/accounts/provider-sign-in';
import { webEnv } from '@/lib/server/settings/web-env';

/** Leads to the provider. */
export const POST = accountForm(async ({ request, store, form }) => {
  const to = safePath(form.get('to'));
  try {
    const { url, cookies } = await startProviderSignIn(store, request, to);
    const response = plainResponse(towardsProviderPage(url, webEnv().oidc?.label ?? ''), 200);
    for (const cookie of cookies) response.headers.append('Set-Cookie', cookie);
    return response;
  } catch (error) {
    const problem = error instanceof AppError ? error.message : '';
    const page = await accountSignIn(request, { to, problem });
    return formAgain(error, () => page);
  }
});
