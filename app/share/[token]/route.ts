import { leadTo } from '@/app/accounts/account-gate';
import { respondToAnyone } from '@/app/api/respond';
import { gonePage, lookUp, shareCookie, sharedPath, shareHeaders } from '@/app/share/share-gate';
import { noteOpening } from '@/lib/server/accounts/share-actor';

/** Opens a share link: the browser gets a cookie for the page of the link, and an address without the token. */
export const GET = respondToAnyone<{ token: string }>(async (request, { token }) => {
  const link = await lookUp(request, token.slice(0, 300));
  if (link instanceof Response) return link;
  if (typeof link === 'string') return gonePage(link);
  const { id, expiresAt } = link;
  await noteOpening(id);
  const response = leadTo(request, sharedPath(id), [shareCookie(request, { id, token, expiresAt })]);
  for (const [name, value] of Object.entries(shareHeaders)) response.headers.set(name, value);
  return response;
});
