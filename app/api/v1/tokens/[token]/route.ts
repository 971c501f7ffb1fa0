import { respond } from '@/app/api/respond';
import { revokeOwnToken } from '@/lib/server/accounts/tokens';

/** Revokes a token of the person who asks; `current` is the token that asks. A token revokes only itself. */
export const DELETE = respond<{ token: string }>(async (_request, { token }, actor) => {
  await revokeOwnToken(actor, token);
  return new Response(null, { status: 204 });
});
