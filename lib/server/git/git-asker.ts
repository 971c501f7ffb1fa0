import type { HeaderReader } from '@/lib/server/access';

const longestHeader = 1_000;

/**
 * Returns headers in which the password of a git client is a bearer token. Git sends HTTP Basic; the name may be anything, because a
 * token tells whose it is. Cookies do not count: a page of another site could make a browser send them.
 */
export function headersOfGit(headers: HeaderReader): HeaderReader {
  const token = passwordOf(headers.get('authorization'));
  return {
    get(name) {
      const lower = name.toLowerCase();
      if (lower === 'cookie') return null;
      if (lower !== 'authorization' || token === undefined) return headers.get(name);
      return `Bearer ${token}`;
    },
  };
}

function passwordOf(header: string | null): string | undefined {
  if (header === null || header.length > longestHeader || !/^basic /i.test(header)) return undefined;
  const text = Buffer.from(header.slice('basic '.length).trim(), 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon === -1 ? '' : text.slice(colon + 1);
}
