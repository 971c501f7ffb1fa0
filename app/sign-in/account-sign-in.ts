import { safePath } from '@/app/accounts/account-gate';
import { accountSignInPage } from '@/app/accounts/form-pages';
import { type PlainPage, plainResponse } from '@/app/plain-page';
import { signInOptions } from '@/lib/server/accounts/passkeys';
import { providerSentence } from '@/lib/server/accounts/provider-people';
import { webEnv } from '@/lib/server/settings/web-env';

const notices: Readonly<Record<string, string>> = {
  reset: 'Your password was changed, and your passkeys and tokens have ended. Sign in with the new password.',
  out: 'You are signed out.',
};

/** Returns the sign-in page for accounts. */
export async function accountSignIn(
  request: Request,
  { to, email, problem, notice }: { to: string | null; email?: string; problem?: string; notice?: string | null },
): Promise<PlainPage> {
  return accountSignInPage({
    to: safePath(to),
    email,
    problem,
    notice: notices[notice ?? ''],
    provider: webEnv().oidc?.label,
    passkey: await signInOptions(request, Date.now()),
  });
}

/** Answers a GET of the sign-in page. `error` is what the provider's way back says. */
export async function serveAccountSignIn(request: Request): Promise<Response> {
  const query = new URL(request.url).searchParams;
  const error = query.get('error');
  const problem = error === null ? undefined : providerSentence(error);
  const page = await accountSignIn(request, {
    to: query.get('to'),
    notice: query.get('done'),
    ...(problem !== undefined && { problem }),
  });
  return plainResponse(page, 200);
}
