import { headers } from 'next/headers';
import type { z } from 'zod';
import { AppError } from '@/lib/base/app-error';
import { unavailable } from '@/lib/server/outage';
import { whyRefused } from '@/lib/server/request-guard';
import { log } from './api/log';
import { checkInput } from './api/read-body';

/** What an action answers: it never throws, for Next hides the message of an error in production. */
export type ActionResult<T> =
  | { readonly ok: true; readonly value: T }
  /** `code` is that of an AppError, or `not_signed_in`, `internal`. The message is fit to show. */
  | { readonly ok: false; readonly code: string; readonly message: string };

/**
 * Makes a server action of `work`: refuses requests that are not ours or not signed in, checks the input (anybody may send
 * one), and turns an AppError into its code and sentence. Anything else is logged and answered with one fixed sentence.
 * Actions do what a page asks for and answer at once; none waits for a run.
 */
export function action<S extends z.ZodType, T>(
  shape: S,
  work: (input: z.output<S>) => Promise<T>,
): (input: z.input<S>) => Promise<ActionResult<T>> {
  return async (input) => {
    const refusal = whyRefused({ method: 'POST', headers: await headers() });
    if (refusal !== undefined) return { ok: false, ...refusal };
    try {
      return { ok: true, value: await work(checkInput(input, shape)) };
    } catch (error) {
      const expected = error instanceof AppError ? error : unavailable(error);
      if (expected !== undefined) return { ok: false, code: expected.code, message: expected.message };
      log.error({ err: error }, 'action failed');
      const message = 'Something went wrong on our side. The log of the server has the details.';
      return { ok: false, code: 'internal', message };
    }
  };
}
