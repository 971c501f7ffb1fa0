import { isThisMachine } from '@/lib/tools/mcp/address-guard';

/** Says what is wrong with the address of a mirror, as the end of a sentence. A worker checks where its name leads. */
export function problemOfMirror(address: string): string | undefined {
  if (address.length > 2_000) return 'must have at most 2,000 characters.';
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    return 'must be an address for git over HTTPS, such as https://git.example.org/team/office.git.';
  }
  if (url.username + url.password !== '') {
    return 'must have no user or token in it. The token is kept as a secret.';
  }
  if (url.search + url.hash !== '') return 'must have no ? and no #.';
  if (url.protocol === 'http:' && !isThisMachine(url.hostname)) {
    return 'must begin with https://, because others could read the token on its way. Only on this machine http:// will do.';
  }
  return undefined;
}
