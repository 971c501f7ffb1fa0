import { parseArgs } from 'node:util';
import { storeResetLink } from '@/lib/server/accounts/reset-links';
import { takeSecondFactor } from '@/lib/server/accounts/take-second-factor';
import { withCommandDatabase } from '@/lib/server/backup/command-database';
import { readAppEnv } from '@/lib/server/command-env';
import { appAddress } from '@/lib/server/web-readiness';
import { openStore, type Store } from '@/lib/store/database';
import { findPerson, listPeople, type PersonRow } from '@/lib/store/people';
import { faultOf } from './fault-of';
import { printNote, printResult } from './print';

const usage = 'callboard people [--reset-link EMAIL | --reset-second-factor EMAIL] [--json]';
const actor = { by: 'local', via: 'cli' } as const;

/**
 * `people`: lists who has an account. `--reset-link` prints a link that sets a new password, and `--reset-second-factor` removes a second
 * factor that was lost. They are for an administrator who cannot sign in, on the machine with the database. Exit code 2 when that is not
 * possible.
 */
export async function people(args: readonly string[]): Promise<number> {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        'reset-link': { type: 'string' },
        'reset-second-factor': { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    });
    const { 'reset-link': link, 'reset-second-factor': factor } = values;
    if (link !== undefined && factor !== undefined) throw new Error(`Do one at a time. Usage: ${usage}`);
    const env = readAppEnv();
    await withCommandDatabase(env, { alone: false }, async (url) => {
      const store = openStore(url);
      try {
        if (link !== undefined) {
          const path = await storeResetLink(store, actor, await personWith(store, link));
          printNote('This link sets a new password. It works once, within a day:\n');
          printResult(`${env.notify.publicUrl ?? appAddress(env)}${path}\n`);
        } else if (factor !== undefined) {
          const { id, email } = await personWith(store, factor);
          await takeSecondFactor(store, actor, { userId: id, email }, 'reset');
          printNote(`${email} signs in without a second factor, and is signed out of all browsers.\n`);
        } else printPeople(await listPeople(store), values.json);
      } finally {
        await store.close();
      }
    });
    return 0;
  } catch (error) {
    printNote(`${faultOf(error)}\n`);
    return 2;
  }
}

async function personWith(store: Store, email: string): Promise<PersonRow> {
  const person = await findPerson(store, { email });
  if (person === undefined) throw new Error(`Nobody has an account with the address ${email}.`);
  if (person.deactivatedAt !== null) throw new Error(`The account of ${email} is deactivated.`);
  return person;
}

function printPeople(found: readonly PersonRow[], asJson: boolean): void {
  if (asJson) printResult(`${JSON.stringify(found, null, 2)}\n`);
  else if (found.length === 0) printNote('Nobody has an account here.\n');
  else for (const person of found) printResult(`${person.email}\t${person.name}\t${standingOf(person)}\n`);
}

function standingOf({ isAdministrator, secondFactor, deactivatedAt }: PersonRow): string {
  return [
    isAdministrator ? 'administrator' : 'member',
    ...(secondFactor ? ['second factor'] : []),
    ...(deactivatedAt === null ? [] : ['deactivated']),
  ].join(', ');
}
