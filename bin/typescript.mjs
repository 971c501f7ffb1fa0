// Lets Node import Callboard's TypeScript sources from any working directory.
import { fileURLToPath } from 'node:url';
import { register } from 'tsx/esm/api';

export const appFolder = fileURLToPath(new URL('..', import.meta.url));

process.env.CALLBOARD_APP_FOLDER = appFolder;
register({ tsconfig: fileURLToPath(new URL('../tsconfig.json', import.meta.url)) });
