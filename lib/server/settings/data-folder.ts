import path from 'node:path';
import { appFolder } from './app-folder';
import { environment } from './process-env';

/** Returns the data folder as an absolute path, for code that needs no other setting. */
export function dataFolderOf(source: Readonly<Record<string, string | undefined>>): string {
  return path.resolve(appFolder, source.CALLBOARD_DATA || '.callboard');
}

/** The data folder of this process. */
export function currentDataFolder(): string {
  return dataFolderOf(environment());
}
