import { readEnv } from './env';
import { stillLives } from './process-identity';
import { lockHolder } from './start-lock';

/**
 * The port of the Callboard that runs on the data folder in use, undefined when none does. For commands beside it: settings
 * that it could not have started with are no fault of theirs.
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
