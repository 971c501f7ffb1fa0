import { unstable_isUnrecognizedActionError } from 'next/navigation';
import { unreachable } from '@/lib/client/ask';
import type { ActionResult } from './action';

/** Calls a server action; what went wrong on the way is an answer too. */
export async function callAction<T>(ask: () => Promise<ActionResult<T>>): Promise<ActionResult<T>> {
  try {
    return await ask();
  } catch (error) {
    if (unstable_isUnrecognizedActionError(error)) {
      const message = 'Callboard was updated while this page was open. Reload it; unsaved changes are kept here.';
      return { ok: false, code: 'updated', message };
    }
    return { ok: false, code: 'unavailable', message: unreachable };
  }
}

/** The value of an action; rejects with an Error fit to show. */
export async function unwrapAction<T>(ask: () => Promise<ActionResult<T>>): Promise<T> {
  const answer = await callAction(ask);
  if (answer.ok) return answer.value;
  throw new Error(answer.message);
}
