import { isRecord, type Json } from '@/lib/base/json';

/** How people sign in at a server with an address: `auth` of its settings, as fast-agent reads it. */
export interface ServerAuth {
  /** False if nobody signs in there. */
  readonly oauth: boolean;
  /** The scope to ask for, in place of what the server names. */
  readonly scope: string | undefined;
  /** An https address that describes this client, for authorization servers that take one. */
  readonly clientMetadataUrl: string | undefined;
}

/** Reads `auth` of a server. What has another form counts as not written. */
export function serverAuth(auth: Json | undefined): ServerAuth {
  const given = isRecord(auth) ? auth : {};
  const { scope, client_metadata_url: url } = given;
  const words = Array.isArray(scope) ? scope.filter((each) => typeof each === 'string').join(' ') : scope;
  return {
    oauth: given.oauth !== false,
    scope: typeof words === 'string' && words.trim() !== '' ? words.trim() : undefined,
    clientMetadataUrl: typeof url === 'string' && url.startsWith('https://') ? url : undefined,
  };
}
