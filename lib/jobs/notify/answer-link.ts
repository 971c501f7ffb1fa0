import { createHmac, timingSafeEqual } from 'node:crypto';
import { brandAs, type PendingId } from '@/lib/base/ids';

/*
 * A link with which the reader of a mail answers one question without signing in:
 *
 *   <public address>/answer/<item>.<target>.<expiry>.<signature>
 *
 * The signature binds the question, the addressee and the expiry. A question is answered once, so a link works once. The key follows
 * from the installation's secret key (lib/store/sealing.ts) and is not in the database.
 */

export interface AnswerLink {
  readonly item: PendingId;
  /** The id of the mail address it was sent to. */
  readonly target: string;
  /** In epoch seconds. */
  readonly expiresAt: number;
}

/** A link works at most for seven days. */
export const linkDays = 7;

export function writeAnswerLink(link: AnswerLink, key: string): string {
  return `${unsigned(link)}.${signatureOf(link, key)}`;
}

/** Returns the link, also an expired one, or `undefined` for a text that was not signed here. */
export function readAnswerLink(text: string, key: string): AnswerLink | undefined {
  const parts = /^([0-9A-Za-z-]{1,100})\.([0-9A-Za-z-]{1,100})\.([0-9]{1,12})\.([0-9A-Za-z_-]{43})$/.exec(text);
  if (parts === null) return undefined;
  const [, item = '', target = '', expiry = '', signature = ''] = parts;
  const link = { item: brandAs<PendingId>(item), target, expiresAt: Number(expiry) };
  const expected = signatureOf(link, key);
  return timingSafeEqual(Buffer.from(signature), Buffer.from(expected)) ? link : undefined;
}

function signatureOf(link: AnswerLink, key: string): string {
  return createHmac('sha256', key)
    .update(`answer link ${unsigned(link)}`)
    .digest('base64url');
}

function unsigned({ item, target, expiresAt }: AnswerLink): string {
  return `${item}.${target}.${expiresAt}`;
}
