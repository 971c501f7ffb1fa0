import { withoutPasswords } from '@/lib/server/log';

/** Returns the message of an error without passwords. When every address of a host refuses, Node's error has only a code. */
export function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const text = error.message === '' && 'code' in error ? String(error.code) : error.message;
  return withoutPasswords(text);
}
