import { baseName } from './file-role';
import type { Folder } from './folder';

/**
 * Matches names of files that hold secrets, listed in docs/runtime-tools.md. Only the name decides; the content is not
 * read.
 */
const secretNames: readonly RegExp[] = [
  /^\.env(?:\..+)?$/,
  /^(?!\.).+\.env$/,
  /^\.envrc$/,
  /\.(?:pem|key|p12|pfx|jks|keystore)$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519)/,
  /^(?:\.npmrc|\.netrc|_netrc|\.pypirc|\.pgpass|\.git-credentials|\.htpasswd)$/,
  /^(?:.+[.-])?secrets?\.(?:ya?ml|json|toml|ini|txt)$/,
  /^credentials(?:\.(?:ya?ml|json|toml|ini|txt))?$/,
];

/** Matches names of files that are meant to be shared: lists of variables, and public keys. */
const openNames = /^\.env\.(?:example|sample|template)$|\.pub$/;

/** True if agents must not read this file. Import and code of the project still include it, and an export does if asked. */
export function isSecretFile(path: string): boolean {
  const name = baseName(path).toLowerCase();
  return !openNames.test(name) && secretNames.some((pattern) => pattern.test(name));
}

/** Returns the folder without secret files, as agents see it. */
export function withoutSecretFiles(folder: Folder): Folder {
  return new Map([...folder].filter(([path]) => !isSecretFile(path)));
}
