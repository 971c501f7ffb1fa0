import { respond } from '@/app/api/respond';
import { listOwnTokens } from '@/lib/server/accounts/tokens';

/** Lists the tokens of the person who asks, without their texts. A token sees only itself. Tokens are made in the browser alone. */
export const GET = respond(async (_request, _params, actor) => ({
  tokens: (await listOwnTokens(actor)).map(({ owner: _owner, ...token }) => token),
}));
