import type { HeaderReader } from '@/lib/server/access';
import { publicAddress } from '@/lib/server/settings/process-env';

/** Returns the origin at which the browser has asked. The Host header has been checked: it is a name of this machine, or the public address. */
export function originOf({ headers }: { readonly headers: HeaderReader }): string {
  const host = headers.get('host')?.toLowerCase() ?? '';
  const open = publicAddress();
  return open !== undefined && host === open.host ? open.origin : `http://${host}`;
}
