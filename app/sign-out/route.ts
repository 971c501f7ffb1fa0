import { leadTo, safePath } from '@/app/accounts/account-gate';
import { accountForm } from '@/app/accounts/account-route';
import { signOut } from '@/lib/server/accounts/sign-in';

/** Ends the session of this browser. */
export const POST = accountForm(async ({ request, store, form }) => {
  const to = form.get('to');
  return leadTo(request, to === null ? '/sign-in?done=out' : safePath(to), await signOut(store, request));
});
