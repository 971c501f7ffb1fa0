import { leadTo, safePath } from '@/app/accounts/account-gate';
import { accountForm } from '@/app/accounts/account-route';
import { signOut } from '@/lib/server/accounts/sign-in';

/**
 * Ends the session of this browser, and clears what the browser keeps of it, so that whoever uses it next finds nothing: answers, unsaved work
 * and texts. Cookies stay: other programs on this host have some too, and one of ours keeps the theme.
 */
export const POST = accountForm(async ({ request, store, form }) => {
  const to = form.get('to');
  const away = leadTo(request, to === null ? '/sign-in?done=out' : safePath(to), await signOut(store, request));
  away.headers.set('Clear-Site-Data', '"cache", "storage"');
  return away;
});
