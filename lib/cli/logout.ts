import { environment } from '@/lib/server/settings/process-env';
import { AppRefusal, addressOfApp, openAppClient } from './app-client';
import { faultOf } from './fault-of';
import { addressOf, forgetLogin, readLogin } from './logins-file';
import { printNote, printResult } from './print';

/**
 * `logout [URL]`: revokes the token of `callboard login` and forgets it. Exit code 0: forgotten, 1: there was none, or the app could not be
 * asked to revoke it, 2: wrong arguments.
 */
export async function logout(args: readonly string[]): Promise<number> {
  try {
    const [given, ...more] = args;
    if (more.length > 0 || given?.startsWith('-')) throw new Error('Usage: callboard logout [URL]');
    const address = given === undefined ? addressOfApp() : addressOf(given);
    const known = readLogin(environment(), address);
    if (known === undefined) {
      printNote(`There is no login at ${address}.\n`);
      return 1;
    }
    const fault = await revoke(address, known.token);
    forgetLogin(environment(), address);
    if (fault === undefined) {
      printResult(`Signed out of ${address}.\n`);
      return 0;
    }
    printNote(`The token is forgotten here, but may still be valid: ${fault} Revoke it in your account.\n`);
    return 1;
  } catch (error) {
    printNote(`${faultOf(error)}\n`);
    return 2;
  }
}

/** Returns why the token could not be revoked. One that is of no use any more needs nothing. */
async function revoke(address: string, token: string): Promise<string | undefined> {
  try {
    await openAppClient(address, token).send('/api/v1/tokens/current', { method: 'DELETE' });
    return undefined;
  } catch (error) {
    if (error instanceof AppRefusal && error.status === 401) return undefined;
    return faultOf(error);
  }
}
