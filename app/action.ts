import { headers } from 'next/headers';
import type { z } from 'zod';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import { whoAsks } from '@/lib/server/accounts/who-asks';
import { unavailable } from '@/lib/server/outage';
import { askedBy } from '@/lib/server/reading/asker';
import { refuseRequest, signInFirst } from '@/lib/server/request-guard';
import { appPort } from '@/lib/server/settings/process-env';
import { log } from './api/log';
import { checkInput } from './api/read-body';

/** The result of an action. An action never throws, because Next hides the message of an error in production. */
export type ActionResult<T> =
  | { readonly ok: true; readonly value: T }
  /** An AppError as its parts. `code` may also be `not_signed_in` or `internal`. Users may see the message. */
  | {
      readonly ok: false;
      readonly code: string;
      readonly message: string;
      readonly details?: Readonly<Record<string, string>>;
    };

/**
 * Makes a server action of `work`. It refuses requests from other sites and without a sign-in, checks the input (anybody
 * can send any), and returns an AppError as its code and sentence. Other errors are logged and answered with one fixed
 * sentence. An action returns quickly; none waits for a run.
 */
export function action<S extends z.ZodType, T>(
  shape: S,
  work: (input: z.output<S>, actor: Actor) => Promise<T>,
): (input: z.input<S>) => Promise<ActionResult<T>> {
  return async (input) => {
    const request = { method: 'POST', headers: await headers() };
    const refusal = refuseRequest(request, appPort());
    if (refusal !== undefined) return { ok: false, code: 'not_allowed', message: refusal };
    try {
      const actor = await whoAsks(request);
      if (actor === undefined) return { ok: false, ...signInFirst() };
      const checked = checkInput(input, shape);
      return { ok: true, value: await askedBy(actor, () => work(checked, actor)) };
    } catch (error) {
      const expected = error instanceof AppError ? error : unavailable(error);
      if (expected !== undefined) {
        const { code, message, details } = expected;
        return { ok: false, code, message, ...(Object.keys(details).length > 0 && { details }) };
      }
      log.error({ err: error }, 'action failed');
      const message = 'Something went wrong on our side. The log of the server has the details.';
      return { ok: false, code: 'internal', message };
    }
  };
}
