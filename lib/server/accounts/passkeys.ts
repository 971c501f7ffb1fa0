import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { z } from 'zod';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import { readName } from '@/lib/base/display-name';
import { clientAddress } from '@/lib/server/client-address';
import { placeOf } from '@/lib/server/limits/sign-in';
import { countTry, refuseKnown } from '@/lib/server/limits/tries';
import { accountsKeys } from '@/lib/server/settings/process-env';
import type { Store } from '@/lib/store/database';
import { claimChallenge, deletePasskey, findPasskeys, insertPasskey, notePasskeyUse } from '@/lib/store/passkeys';
import { recordFailedSignIn } from './failed-sign-ins';
import { originOf } from './request-origin';
import { openSession, type SignedIn, type SignInRequest } from './sign-in';

/*
 * Passkeys. A challenge is a random text with its time and our signature, so that a page needs no row before somebody uses it; a used
 * challenge is kept until it has expired, so that nobody sends the same answer twice.
 */

const challengeMinutes = 10;
const transports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;

/** Returns the name that passkeys belong to at this address, or `undefined`: browsers refuse passkeys for IP addresses. */
export function passkeyPlace(request: SignInRequest): string | undefined {
  const { hostname } = new URL(originOf(request));
  return /^[\d.]+$|^\[/.test(hostname) ? undefined : hostname;
}

/** Makes what a browser needs to ask for a passkey at sign-in. The passkey says who it is. */
export async function signInOptions(request: SignInRequest, nowMs: number): Promise<string | undefined> {
  const rpID = passkeyPlace(request);
  if (rpID === undefined) return undefined;
  const options = await generateAuthenticationOptions({
    rpID,
    challenge: newChallenge('sign-in', nowMs),
    userVerification: 'required',
  });
  return JSON.stringify(options);
}

/** Makes what a browser needs to make a passkey for a person. */
export async function newPasskeyOptions(
  store: Store,
  request: SignInRequest,
  person: { readonly userId: string; readonly email: string; readonly name: string },
  nowMs: number,
): Promise<string> {
  const rpID = passkeyPlace(request);
  if (rpID === undefined) throw new AppError('bad_request', noPasskeys);
  const known = await findPasskeys(store, { user: person.userId });
  const options = await generateRegistrationOptions({
    rpName: 'Callboard',
    rpID,
    userID: new TextEncoder().encode(person.userId),
    userName: person.email,
    userDisplayName: person.name,
    challenge: newChallenge(person.userId, nowMs),
    attestationType: 'none',
    excludeCredentials: known.map(({ credentialId }) => ({ id: credentialId })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  return JSON.stringify(options);
}

const noPasskeys =
  'Browsers make passkeys only for names, not for IP addresses. Open Callboard at http://localhost or at its public address.';

const credentialShape = z.looseObject({
  id: z.string().max(2_000),
  rawId: z.string().max(2_000),
  type: z.literal('public-key'),
  response: z.looseObject({ clientDataJSON: z.string().max(20_000) }),
  clientExtensionResults: z.looseObject({}).default({}),
});

/** Keeps a passkey that the browser of a person has made. Throws AppError `bad_request` with what to do. */
export async function addPasskey(
  store: Store,
  request: SignInRequest,
  actor: Pick<Actor, 'by' | 'via'>,
  userId: string,
  given: { readonly name: string; readonly credential: unknown },
): Promise<void> {
  const rpID = passkeyPlace(request);
  const parsed = credentialShape.safeParse(given.credential);
  if (rpID === undefined || !parsed.success) throw new AppError('bad_request', noPasskeys);
  const found = await verifyRegistrationResponse({
    // The library checks every field of the answer.
    response: parsed.data as unknown as RegistrationResponseJSON,
    expectedChallenge: (challenge) => isOpenChallenge(store, challenge, userId, Date.now()),
    expectedOrigin: originOf(request),
    expectedRPID: rpID,
    requireUserVerification: true,
  }).catch(() => undefined);
  if (found?.verified !== true) throw new AppError('bad_request', 'The passkey could not be checked. Try again.');
  const { credential } = found.registrationInfo;
  const name = readName(given.name).slice(0, 60) || 'Passkey';
  const passkey = {
    id: randomUUID(),
    userId,
    credentialId: credential.id,
    publicKey: credential.publicKey,
    counter: credential.counter,
    transports: credential.transports ?? [],
    name,
  };
  if (!(await insertPasskey(store, passkey, actor))) {
    throw new AppError('conflict', 'This passkey is in use already.');
  }
}

/** Removes a passkey of a person. Throws AppError `not_found`. */
export async function removePasskey(
  store: Store,
  actor: Pick<Actor, 'by' | 'via'>,
  userId: string,
  id: string,
): Promise<void> {
  if (await deletePasskey(store, userId, id, actor)) return;
  throw new AppError('not_found', 'There is no such passkey. It may have been removed already.');
}

/** Signs in with a passkey. Throws AppError `not_allowed` with the same sentence whatever is wrong, and `too_many`. */
export async function signInWithPasskey(store: Store, request: SignInRequest, sent: string): Promise<SignedIn> {
  const place = placeOf(clientAddress(request));
  refuseKnown(store, 'passkey', place);
  await countTry(store, 'passkey', place);
  const userId = await passkeyOwner(store, request, sent);
  if (userId !== undefined) return await openSession(store, request, userId, 'passkey');
  await recordFailedSignIn(store, request, { email: undefined, way: 'passkey' }, Date.now());
  throw new AppError('not_allowed', 'This passkey could not be checked. Try again, or sign in in another way.');
}

async function passkeyOwner(store: Store, request: SignInRequest, sent: string): Promise<string | undefined> {
  const rpID = passkeyPlace(request);
  const parsed = credentialShape.safeParse(jsonOf(sent));
  if (rpID === undefined || !parsed.success) return undefined;
  const [passkey] = await findPasskeys(store, { credential: parsed.data.id });
  if (passkey === undefined) return undefined;
  const found = await verifyAuthenticationResponse({
    // The library checks every field of the answer.
    response: parsed.data as unknown as AuthenticationResponseJSON,
    expectedChallenge: (challenge) => isOpenChallenge(store, challenge, 'sign-in', Date.now()),
    expectedOrigin: originOf(request),
    expectedRPID: rpID,
    requireUserVerification: true,
    credential: {
      id: passkey.credentialId,
      publicKey: passkey.publicKey,
      counter: passkey.counter,
      transports: transports.filter((each) => passkey.transports.includes(each)),
    },
  }).catch(() => undefined);
  if (found?.verified !== true) return undefined;
  await notePasskeyUse(store, passkey.id, found.authenticationInfo.newCounter);
  return passkey.userId;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** 16 random bytes, the time in seconds, and the signature over both and the purpose. */
function newChallenge(purpose: string, nowMs: number): Uint8Array<ArrayBuffer> {
  const head = Buffer.alloc(20);
  randomBytes(16).copy(head);
  head.writeUInt32BE(Math.floor(nowMs / 1_000), 16);
  return new Uint8Array(Buffer.concat([head, signature(head, purpose)]));
}

function signature(head: Buffer, purpose: string): Buffer {
  const [key = ''] = accountsKeys();
  return createHmac('sha256', key).update(`passkey ${purpose} `).update(head).digest();
}

async function isOpenChallenge(store: Store, sent: string, purpose: string, nowMs: number): Promise<boolean> {
  const bytes = Buffer.from(sent, 'base64url');
  if (bytes.length !== 52) return false;
  const head = bytes.subarray(0, 20);
  if (!timingSafeEqual(bytes.subarray(20), signature(head, purpose))) return false;
  const age = nowMs / 1_000 - head.readUInt32BE(16);
  return age < challengeMinutes * 60 && (await claimChallenge(store, head.toString('base64url'), challengeMinutes));
}
