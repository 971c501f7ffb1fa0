import { leadTo, safePath } from '@/app/accounts/account-gate';
import { accountForm, accountPage, formAgain } from '@/app/accounts/account-route';
import { codePage } from '@/app/accounts/form-pages';
import { plainResponse } from '@/app/plain-page';
import { signInWithCode } from '@/lib/server/accounts/sign-in';

export const GET = accountPage(async ({ query }) => plainResponse(codePage({ to: safePath(query.get('to')) }), 200));

/** Takes `code`, of the second factor or of backup. */
export const POST = accountForm(async ({ request, store, form }) => {
  const to = safePath(form.get('to'));
  try {
    const { cookies } = await signInWithCode(store, request, (form.get('code') ?? '').slice(0, 100));
    return leadTo(request, to, cookies);
  } catch (error) {
    return formAgain(error, (problem) => codePage({ to, problem }));
  }
});
