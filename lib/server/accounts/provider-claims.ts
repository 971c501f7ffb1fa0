import { z } from 'zod';
import { parseJson } from '@/lib/base/json';

/*
 * What better-auth does not check of an id token. It checks the signature with the keys of the provider, `iss`, `aud`, `exp` and the nonce
 * (OpenID Connect Core 1.0, section 3.1.3.7), before these functions are called.
 */

/** Clocks differ. An id token comes from the provider itself, within the sign-in, so it was made just now. */
const oldestSeconds = 10 * 60;
const furthestAheadSeconds = 60;

const claimsShape = z.looseObject({
  sub: z.string().min(1).max(255),
  aud: z.union([z.string(), z.array(z.string())]),
  azp: z.string().optional(),
  iat: z.number(),
  email: z.string().max(254).optional(),
});

/**
 * Returns who an id token is about. Throws an Error for none, for one that was made for another client, and for one whose time of issue is
 * not near the present.
 */
export function subjectOf(idToken: string | undefined, clientId: string, nowSeconds: number): string {
  if (idToken === undefined) throw new Error('The provider sent no id token.');
  const { sub, aud, azp, iat } = claimsShape.parse(claimsOf(idToken));
  const isForSeveral = Array.isArray(aud) && aud.length > 1;
  if ((azp !== undefined || isForSeveral) && azp !== clientId) throw new Error('The id token is for another client.');
  if (iat > nowSeconds + furthestAheadSeconds || iat < nowSeconds - oldestSeconds) {
    throw new Error('The id token was not made now.');
  }
  return sub;
}

/** The second part of the token has the claims (RFC 7519, section 7.2). */
function claimsOf(idToken: string): unknown {
  return parseJson(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString());
}

/** True only for the boolean, as section 5.1 has it: some providers send texts for addresses that they did not check. */
export function isVerifiedAddress(profile: { readonly email_verified?: unknown }): boolean {
  return profile.email_verified === true;
}
