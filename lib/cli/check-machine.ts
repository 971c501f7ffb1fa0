import { accessSync, constants, existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { describeFence, type FenceKind } from '@/lib/sandbox/fence/fence-kind';
import { freeBytes, megabytes } from '@/lib/server/disk-space';
import { secretFileVariables } from '@/lib/server/settings/env';
import type { Finding } from './finding';

const wantedNode = [20, 19] as const;

export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isEnough = major > wantedNode[0] || (major === wantedNode[0] && minor >= wantedNode[1]);
  const found = { name: 'Node', detail: version } as const;
  if (isEnough) return { ...found, state: 'ok' };
  return { ...found, state: 'fail', next: `Install Node ${wantedNode.join('.')} or newer.` };
}

/** Checks that the data folder can be written, and that nobody else can read what it keeps secret. */
export function checkDataFolder(folder: string): readonly Finding[] {
  if (!existsSync(folder)) {
    return [{ name: 'Data folder', state: 'ok', detail: `${folder} is made at the first start` }];
  }
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    const next = 'Give this user the right to write there, or set CALLBOARD_DATA to another folder.';
    return [{ name: 'Data folder', state: 'fail', detail: `${folder} cannot be written`, next }];
  }
  return [
    { name: 'Data folder', state: 'ok', detail: folder },
    ...['access-token', 'secret-key', 'secret-key.old'].flatMap((file) => checkSecretFile(path.join(folder, file))),
  ];
}

function checkSecretFile(file: string): readonly Finding[] {
  if (!existsSync(file)) return [];
  const name = path.basename(file);
  if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) {
    return [{ name, state: 'fail', detail: 'other users may read it', next: `chmod 600 ${file}` }];
  }
  if (!name.endsWith('.old')) return [{ name, state: 'ok', detail: 'only its owner can read it' }];
  const next = `Start Callboard once, so that no secret needs it any more. Then remove ${file}`;
  return [{ name, state: 'warn', detail: 'a key of before is still there', next }];
}

/** Checks the files that `…_FILE` names. Whoever hands them over may let a group read them. */
export function checkSecretFiles(variables: Readonly<Record<string, string | undefined>>): readonly Finding[] {
  if (process.platform === 'win32') return [];
  return secretFileVariables.flatMap((name): readonly Finding[] => {
    const file = variables[name];
    if (file === undefined || !existsSync(file) || (statSync(file).mode & 0o007) === 0) return [];
    const next = `chmod o= ${file}, unless only this user reaches its folder.`;
    return [{ name, state: 'warn', detail: `every user of this machine may read ${file}`, next }];
  });
}

const littleBytes = 1024 ** 3;
const scarceBytes = 100 * 1024 ** 2;

export function checkDisk(folder: string, free = freeBytes(folder)): Finding {
  if (free === undefined) return { name: 'Disk', state: 'ok', detail: 'the system does not tell how much is free' };
  const found = { name: 'Disk', detail: `${megabytes(free)} free for ${folder}` } as const;
  const next = 'Free some space, or let Settings, Retention delete old runs.';
  if (free < scarceBytes) return { ...found, state: 'fail', next };
  return free < littleBytes ? { ...found, state: 'warn', next } : { ...found, state: 'ok' };
}

export function checkIsolation(kind: FenceKind): Finding {
  const { state, meaning } = describeFence(kind);
  const found = { name: 'Isolation of processes', detail: `${state}. ${meaning}` } as const;
  if (kind === 'hidden') return { ...found, state: 'ok' };
  return { ...found, state: 'warn', next: 'docs/security.md says what that means, and how to run Callboard instead.' };
}
