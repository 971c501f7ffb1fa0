import { AppError } from '@/lib/base/app-error';
import type { HeaderReader } from '@/lib/server/access';
import { clientAddress } from '@/lib/server/client-address';
import { placeOf } from '@/lib/server/limits/sign-in';
import { countTry, refuseKnown } from '@/lib/server/limits/tries';
import type { Store } from '@/lib/store/database';

/**
 * Reads a link of setup, invitation or a new password. One that is not valid counts for the address, after its look-up: nobody guesses the
 * token, and the limit bounds the work. Throws AppError `too_many`, and those of `read`.
 */
export async function tryLink<T>(
  store: Store,
  request: { readonly headers: HeaderReader },
  read: () => Promise<T>,
): Promise<T> {
  const place = placeOf(clientAddress(request));
  refuseKnown(store, 'link', place);
  try {
    return await read();
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_allowed') await countTry(store, 'link', place);
    throw error;
  }
}
