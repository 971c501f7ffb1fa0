import { AppError } from '@/lib/base/app-error';
import type { RunId } from '@/lib/base/ids';
import { fireTrigger } from '@/lib/jobs/triggers/fire';
import { openHookSecret } from '@/lib/store/hook-secret';
import { noTrigger } from '@/lib/store/not-found';
import { findHook } from '@/lib/store/triggers';
import { clientAddress } from './client-address';
import { faultOfHook, readHookHeaders, toleranceSeconds } from './hook-signature';
import { placeOf } from './limits/sign-in';
import { countTry, refuseKnown } from './limits/tries';
import { systemStoreOnce } from './services';
import { hookKeys } from './settings/process-env';
import { startRules } from './trust';

/** What the sender of a webhook is told. */
export interface HookAnswer {
  readonly run: RunId;
  /** True if this message had started the run before. */
  readonly duplicate: boolean;
}

interface Delivered {
  readonly trigger: string;
  readonly headers: { get(name: string): string | null };
  /** Reads the body. Throws AppError `too_large`. */
  body(): Promise<Uint8Array>;
}

/**
 * Takes a message of a webhook. Its signature is the only thing that lets it in, and the id of a message starts one run. Throws AppError
 * `not_found`, `bad_request`, `not_signed_in` for a signature that does not fit or is too old, `conflict` if the trigger is switched off or has
 * nothing to run, `too_many`, and what refuses other runs.
 */
export async function receiveHook({ trigger: id, headers, body }: Delivered): Promise<HookAnswer> {
  return await systemStoreOnce(async ({ store, queue }) => {
    const address = placeOf(clientAddress({ headers }));
    refuseKnown(store, 'wrong webhook', address);
    refuseKnown(store, 'webhook', id);
    const given = readHookHeaders(headers);
    const bytes = await body();
    const hook = await findHook(store, id);
    if (hook === undefined) {
      await countTry(store, 'wrong webhook', address);
      throw noTrigger();
    }
    const { trigger } = hook;
    const secret = openHookSecret(hook.secret, id, hookKeys());
    if (secret === undefined) {
      throw new AppError(
        'unavailable',
        'The secret of this webhook cannot be read here. Make a new one on the page Triggers.',
      );
    }
    const fault = faultOfHook(given, bytes, { secret, now: Date.now() });
    if (fault !== undefined) {
      await countTry(store, 'wrong webhook', address);
      throw refusedFor(fault);
    }
    await countTry(store, 'webhook', id);
    if (!trigger.enabled) throw new AppError('conflict', 'This trigger is switched off. Nothing was started.');
    const fired = await fireTrigger({ ...startRules(store), queue }, trigger, {
      ...{ key: `message ${given.id}`, missed: 0, counts: true },
      values: { kind: 'webhook', trigger: trigger.name, body: textOf(bytes) },
    });
    if (fired.kind === 'refused') throw fired.error;
    if (fired.runId === undefined) throw new AppError('conflict', 'This trigger is switched off. Nothing was started.');
    return { run: fired.runId, duplicate: fired.kind === 'taken' };
  });
}

function refusedFor(fault: 'signature' | 'time'): AppError {
  const message =
    fault === 'time'
      ? `The webhook-timestamp is more than ${toleranceSeconds / 60} minutes from the time here. Sign each attempt with the time at which it is sent.`
      : 'The webhook-signature does not fit. Sign "<webhook-id>.<webhook-timestamp>.<body>" with the secret of this trigger.';
  return new AppError('not_signed_in', message);
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new AppError('bad_request', 'The body is not valid UTF-8. Send text encoded as UTF-8.');
  }
}
