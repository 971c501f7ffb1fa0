import path from 'node:path';
import { appFolder } from './app-folder';

/** Returns the data folder as an absolute path, for code that needs no other setting. */
export function dataFolderOf(source: Readonly<Record<string, string | undefined>>): string {
  return path.resolve(appFolder, source.CALLBOARD_DATA || '.callboard');
}
