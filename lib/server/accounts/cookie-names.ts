import { appPort } from '@/lib/server/settings/process-env';

/** Browsers send a cookie to every port of a host, so the names of ours have the port. */
export function cookiePrefix(): string {
  return `callboard_${appPort()}`;
}
