import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import { clientAddress } from '@/lib/server/client-address';
import { placeOf } from '@/lib/server/limits/sign-in';
import { countTry, refuseKnown } from '@/lib/server/limits/tries';
import { systemStore } from '@/lib/server/services';
import type { Store } from '@/lib/store/database';
import { countOpening, type FoundShareLink, findShareLink } from '@/lib/store/share-links';
import { hashOfSecret, isShareText } from './token-text';

interface Asked {
  readonly headers: { get(name: string): string | null };
}

/** What became of a link. Whoever has one that never existed, or was cut, learns nothing else. */
export type LinkState = 'unknown' | 'over' | FoundShareLink;

/**
 * Finds the link of a token. Wrong tokens of one address count, and throw AppError `too_many` when there are many: nobody can guess a
 * token, and the limit bounds the work of the database. A request that is decided on `again` neither counts nor is refused by the limit.
 */
export async function findLink(
  request: Asked,
  token: string,
  asked: 'counted' | 'again' = 'counted',
): Promise<LinkState> {
  if (!isShareText(token)) return 'unknown';
  return await systemStore(async (store) => await stateOf(store, request, token, asked));
}

async function stateOf(store: Store, request: Asked, token: string, asked: 'counted' | 'again'): Promise<LinkState> {
  const address = placeOf(clientAddress(request));
  if (asked === 'counted') refuseKnown(store, 'wrong share link', address);
  const link = await findShareLink(store, hashOfSecret(token));
  if (link !== undefined) return link.isOver ? 'over' : link;
  if (asked === 'counted') await countTry(store, 'wrong share link', address);
  return 'unknown';
}

/** Returns the actor that a share link makes: it reads one run. Throws AppError `not_signed_in` for a link that opens nothing. */
export async function actorOfLink(
  request: Asked,
  token: string,
  asked: 'counted' | 'again' = 'counted',
): Promise<Actor> {
  const link = await findLink(request, token, asked);
  if (link === 'unknown' || link === 'over') throw new AppError('not_signed_in', 'This link opens nothing any more.');
  const { id, prefix, run, project, texts } = link;
  const address = placeOf(clientAddress(request));
  return {
    by: `share link ${prefix}`,
    via: 'link',
    reach: { kind: 'share', link: id, address, run, project, texts },
  };
}

/** Counts that a browser has opened a link. */
export async function noteOpening(id: string): Promise<void> {
  await systemStore((store) => countOpening(store, id));
}
