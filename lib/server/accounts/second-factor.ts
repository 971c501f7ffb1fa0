import { randomInt } from 'node:crypto';
import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import { parseJson } from '@/lib/base/json';
import { countTry, forgetTries } from '@/lib/server/limits/tries';
import { appendAudit } from '@/lib/store/audit';
import type { Store } from '@/lib/store/database';
import {
  claimCode,
  confirmSecondFactor,
  putUnconfirmed,
  readSecondFactor,
  replaceBackupCodes,
} from '@/lib/store/second-factors';
import { transaction } from '@/lib/store/transaction';
import { appAddress, isCodeOf, newCodeSecret } from './one-time-code';
import { provePassword } from './passwords';
import { authOf, type SignInRequest } from './sign-in';
import { factorIsOff, secondFactorChanged, takeSecondFactor } from './take-second-factor';

/*
 * The second factor of a person: codes of an app, and backup codes. better-auth asks for it after the password and checks it there, so both
 * texts are encrypted as better-auth does. A passkey asks for none: it is on a device, which checks the person.
 */

interface Place {
  readonly store: Store;
  readonly request: SignInRequest;
}

interface Person {
  readonly userId: string;
  readonly email: string;
}

export interface NewSecondFactor {
  /** In Base32, for people who type it. */
  readonly secret: string;
  /** What the QR code says. */
  readonly address: string;
}

const backupCodeCount = 10;
const letters = 'abcdefghjkmnpqrstuvwxyz23456789';

/** Makes a second factor, which counts only when the person has shown a code of it. Throws AppError `not_allowed` and `conflict`. */
export async function beginSecondFactor(place: Place, person: Person, password: string): Promise<NewSecondFactor> {
  const { store } = place;
  await provePassword(store, person.userId, password);
  const secret = newCodeSecret();
  // better-auth reads secrets with this prefix as Base32.
  const sealed = { secret: await encrypted(place, `base32:${secret}`), backupCodes: await encrypted(place, '[]') };
  const isKept = await transaction(store, (connection) => putUnconfirmed(connection, person.userId, sealed));
  if (!isKept) throw new AppError('conflict', 'A second factor is on already. Switch it off first.');
  return { secret, address: appAddress(secret, person.email) };
}

/** Switches the second factor on with one of its codes. Returns the backup codes, which are shown once. Throws an AppError. */
export async function confirmWithCode(
  place: Place,
  actor: Pick<Actor, 'by' | 'via'>,
  { userId, email }: Person,
  code: string,
): Promise<readonly string[]> {
  const { store } = place;
  const found = await readSecondFactor(store, userId);
  if (found === undefined || found.isOn) throw new AppError('conflict', 'Begin again: another tab has changed this.');
  await countTry(store, 'second factor', userId);
  const digits = code.replace(/\s/g, '');
  const secret = (await decrypted(place, found.secret)).slice('base32:'.length);
  if (!isCodeOf(secret, digits, Date.now())) {
    throw new AppError('not_allowed', 'This code is not right. Enter the one that the app shows now.');
  }
  // Nobody who has seen this code signs in with it.
  await claimCode(store, userId, digits);
  await forgetTries(store, 'second factor', userId);
  const { codes, sealed } = await newBackupCodes(place);
  await transaction(store, async (connection) => {
    if (!(await confirmSecondFactor(connection, userId, found.secret))) {
      throw new AppError('conflict', 'Begin again: another tab has changed this.');
    }
    await replaceBackupCodes(connection, userId, sealed);
    await appendAudit(connection, { ...secondFactorChanged(actor, email), body: { email, change: 'on' } });
  });
  return codes;
}

/** Replaces the backup codes. Returns the new ones, which are shown once. Throws AppError `not_allowed` and `conflict`. */
export async function renewBackupCodes(
  place: Place,
  actor: Pick<Actor, 'by' | 'via'>,
  { userId, email }: Person,
  password: string,
): Promise<readonly string[]> {
  await provePassword(place.store, userId, password);
  const { codes, sealed } = await newBackupCodes(place);
  await transaction(place.store, async (connection) => {
    if (!(await replaceBackupCodes(connection, userId, sealed))) throw new AppError('conflict', factorIsOff);
    await appendAudit(connection, { ...secondFactorChanged(actor, email), body: { email, change: 'codes' } });
  });
  return codes;
}

/** Switches the second factor off. Throws AppError `not_allowed` and `conflict`. */
export async function switchOffSecondFactor(
  store: Store,
  actor: Pick<Actor, 'by' | 'via'>,
  { userId, email }: Person,
  password: string,
): Promise<void> {
  await provePassword(store, userId, password);
  await takeSecondFactor(store, actor, { userId, email }, 'off');
}

/** Returns how many backup codes are left, or `undefined` while the second factor is off. */
export async function backupCodesLeft(place: Place, userId: string): Promise<number | undefined> {
  const found = await readSecondFactor(place.store, userId);
  if (found?.isOn !== true) return undefined;
  const codes = parseJson(await decrypted(place, found.backupCodes));
  return Array.isArray(codes) ? codes.length : 0;
}

async function newBackupCodes(place: Place): Promise<{ readonly codes: readonly string[]; readonly sealed: string }> {
  const word = () => Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join('');
  const codes = Array.from({ length: backupCodeCount }, () => `${word()}-${word()}`);
  return { codes, sealed: await encrypted(place, JSON.stringify(codes)) };
}

async function encrypted(place: Place, data: string): Promise<string> {
  return await symmetricEncrypt({ key: await keyOf(place), data });
}

async function decrypted(place: Place, data: string): Promise<string> {
  return await symmetricDecrypt({ key: await keyOf(place), data });
}

async function keyOf({ store, request }: Place) {
  return (await authOf(store, request).$context).secretConfig;
}
