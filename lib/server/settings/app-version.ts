import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { appFolder } from './app-folder';

const named = z.object({ version: z.string() });

/** The version of this Callboard, from its package.json. */
export function appVersion(): string {
  return named.parse(JSON.parse(readFileSync(path.join(appFolder, 'package.json'), 'utf8'))).version;
}
