import { baseName } from './file-role';
import type { Folder } from './folder';

/**
 * Names of files that are there to hold secrets; docs/runtime-tools.md lists them. The name alone decides: what is in
 * such a file is nobody's to look at.
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

/** Written to be shared: they say which variables there are, or are public by nature. */
const openNames = /^\.env\.(?:example|sample|template)$|\.pub$/;

/** Whether agents are refused this file, whatever they ask by. Export, import and code in the project still have it. */
export function isSecretFile(path: string): boolean {
  const name = baseName(path).toLowerCase();
  return !openNames.test(name) && secretNames.some((pattern) => pattern.test(name));
}

/** The folder as agents see it. */
export function withoutSecretFiles(folder: Folder): Folder {
  return new Map([...folder].filter(([path]) => !isSecretFile(path)));
}
