import { stillLives } from './process-identity';
import { readEnv } from './settings/env';
import { lockHolder } from './start-lock';

/**
 * Returns the port of the Callboard that runs on the current data folder, or `undefined` when none runs. Other commands use
 * it. With invalid settings Callboard could not have started, so then the result is `undefined` too.
 */
export function portOfRunningApp(source: Readonly<Record<string, string | undefined>>): number | undefined {
  try {
    const { dataFolder, port } = readEnv(source);
    const holder = lockHolder(dataFolder);
    return holder !== undefined && stillLives(holder) ? port : undefined;
  } catch {
    return undefined;
  }
}
