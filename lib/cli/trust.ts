import { stat } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { readFolder } from '@/lib/cards/project/read-folder';
import { isConfirmed } from '@/lib/cards/trust/capability';
import { listCapabilities } from '@/lib/cards/trust/list-capabilities';
import { readCommandEnv } from '@/lib/server/command-env';
import { hashBlob } from '@/lib/store/hash';
import { folderOf } from './card-address';
import { faultOf } from './fault-of';
import { openProject } from './open-project';
import { printJson, printNote, printResult } from './print';
import { printCapabilities } from './print-capabilities';
import { openTrustFile } from './trust-file';

/**
 * `trust FOLDER [--json]`: prints what a run of the folder would start or call, and whether it was confirmed in a terminal.
 * Starts and calls nothing. Exit code 2 when the folder cannot be read.
 */
export async function trust(args: readonly string[]): Promise<number> {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { json: { type: 'boolean', default: false } },
    });
    const [path, ...others] = positionals;
    if (path === undefined || others.length > 0) return refuse('Name one folder: callboard trust FOLDER [--json]');
    const env = readCommandEnv();
    const place = await folderOf(path, env);
    if (!(await stat(place)).isDirectory()) return refuse(`${path} is not a folder.`);
    const { root, folder } = await openProject(place);
    const confirmed = openTrustFile(env.dataFolder).listsOf(root);
    const list = listCapabilities(folder, readFolder(folder), hashBlob);
    const state =
      list.items.length === 0 ? 'nothing' : isConfirmed(list, confirmed) ? ('confirmed' as const) : 'unconfirmed';
    if (values.json) {
      printJson({ state, ...list }, 2);
      return 0;
    }
    printResult(
      list.items.length === 0
        ? `A run of this folder starts no program and calls no address.\n${printCapabilities(list)}`
        : `${printCapabilities(list, confirmed[0])}\nList ${list.hash}, ${state}.\n`,
    );
    return 0;
  } catch (error) {
    return refuse(faultOf(error));
  }
}

function refuse(message: string): number {
  printNote(`${message}\n`);
  return 2;
}
