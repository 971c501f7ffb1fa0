import { dataFolderOf } from './data-folder';

/*
 * Reads the settings that every request needs. The launcher has validated them before it started this process, so they are
 * read from the environment without the schema in ./env, which would be part of the bundle of every page.
 */

/** Returns the port that browsers and scripts use. */
export function appPort(): number {
  return Number(process.env.PORT) || 3000;
}

/** True if CALLBOARD_OPEN switches sign-in off. */
export function isOpen(): boolean {
  return process.env.CALLBOARD_OPEN === '1';
}

export function currentDataFolder(): string {
  return dataFolderOf(process.env);
}
