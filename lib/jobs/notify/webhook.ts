import { createHmac } from 'node:crypto';
import type { GuardedFetch } from '@/lib/tools/mcp/guarded-fetch';
import type { NoticeBody } from './notice-words';

/** The answer must have begun within this time. */
const timeoutMs = 15_000;

export interface WebhookRequest {
  /** Goes into `webhook-id`. It is the same in every attempt. */
  readonly id: string;
  readonly url: string;
  readonly secret: string;
  readonly body: NoticeBody;
  /** In epoch milliseconds. */
  readonly at: number;
}

export type WebhookAnswer =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly error: string;
      /** The receiver wants no more attempts. */
      readonly isGone: boolean;
    };

/**
 * Posts a notice with the headers of Standard Webhooks (standardwebhooks.com, version 1). Any answer 2xx counts, and its body is
 * not read. A redirect is not followed: what is signed for one address goes to no other. Does not throw.
 */
export async function postWebhook(
  { fetch }: Pick<GuardedFetch, 'fetch'>,
  { id, url, secret, body, at }: WebhookRequest,
): Promise<WebhookAnswer> {
  const text = JSON.stringify(body);
  const timestamp = String(Math.floor(at / 1_000));
  const deadline = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method: 'POST',
      body: text,
      signal: deadline,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Callboard',
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': signatureOf({ id, timestamp, text, secret }),
      },
    });
    await response.body?.cancel();
    const { status } = response;
    if (status >= 200 && status < 300) return { ok: true };
    const error = `The receiver answered ${status}${status >= 300 && status < 400 ? ', a redirect, which is not followed' : ''}.`;
    return { ok: false, error, isGone: status === 410 };
  } catch (error) {
    const reason = deadline.aborted ? `no answer within ${timeoutMs / 1_000} s` : reasonOf(error);
    return { ok: false, error: `The receiver was not reached: ${reason}`, isGone: false };
  }
}

/** `v1,` and the base64 of the HMAC-SHA256 over `<id>.<timestamp>.<body>`. The secret is `whsec_` and the base64 of the key. */
export function signatureOf(signed: {
  readonly id: string;
  /** In seconds since 1970. */
  readonly timestamp: string;
  readonly text: string;
  readonly secret: string;
}): string {
  const key = Buffer.from(signed.secret.replace(/^whsec_/, ''), 'base64');
  const hmac = createHmac('sha256', key).update(`${signed.id}.${signed.timestamp}.${signed.text}`);
  return `v1,${hmac.digest('base64')}`;
}

/** Node's message of a refused connection names its host and port only, never the path, which may hold a secret. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}
