import { unstable_isUnrecognizedActionError } from 'next/navigation';
import { readOpenCount } from '@/lib/client/open-count';
import { isSignedOut, signedOutSentence } from '@/lib/client/signed-out';
import { unreachable } from '@/lib/client/unreachable';
import type { ActionResult } from './action';

/** Calls a server action. A failed request becomes an answer with a sentence. Nothing is thrown. */
export async function callAction<T>(ask: () => Promise<ActionResult<T>>): Promise<ActionResult<T>> {
  try {
    return await ask();
  } catch (error) {
    if (unstable_isUnrecognizedActionError(error)) {
      const message = 'Callboard was updated while this page was open. Reload it; unsaved changes are kept here.';
      return { ok: false, code: 'updated', message };
    }
    // The answer of a refused action says nothing of the reason, so the API is asked.
    await readOpenCount().catch(() => undefined);
    if (isSignedOut()) return { ok: false, code: 'not_signed_in', message: signedOutSentence };
    return { ok: false, code: 'unavailable', message: unreachable };
  }
}

/** Returns the value that an action returned. Rejects with an Error whose message users may see. */
export async function unwrapAction<T>(ask: () => Promise<ActionResult<T>>): Promise<T> {
  const answer = await callAction(ask);
  if (answer.ok) return answer.value;
  throw new Error(answer.message);
}
