import { type GitHash, noObject, readHash } from './git-object';
import { flushLine, joined, pktLine, readPkts, textOfPkt } from './pkt-line';
import type { RefChange } from './push-request';

/** What a remote says before a push: its branches and tags, and what it can do (gitprotocol-http, gitprotocol-pack). */
export interface RemoteRefs {
  readonly refs: ReadonlyMap<string, GitHash>;
  readonly abilities: ReadonlySet<string>;
}

/** Reads the first answer of `git-receive-pack`. Throws AppError `bad_request` for bytes that are not of git. */
export function readAdvertisement(bytes: Uint8Array): RemoteRefs {
  const { lines } = readPkts(bytes);
  const texts = lines.flatMap((line) => (line === 'flush' ? [] : [textOfPkt(line)]));
  const listed = texts[0]?.startsWith('# service=') === true ? texts.slice(1) : texts;
  const abilities = new Set((listed[0]?.split('\0')[1] ?? '').split(' ').filter((word) => word !== ''));
  const refs = new Map<string, GitHash>();
  for (const line of listed) {
    const [hash = '', name = ''] = (line.split('\0')[0] ?? '').split(' ');
    const read = readHash(hash);
    if (read !== undefined && read !== noObject && name.startsWith('refs/')) refs.set(name, read);
  }
  return { refs, abilities };
}

const wanted = ['report-status', 'side-band-64k'] as const;

/** Writes what comes before the pack: the changes, and which abilities of the remote are used. There is at least one change. */
export function writeChanges(changes: readonly RefChange[], { abilities }: Pick<RemoteRefs, 'abilities'>): Uint8Array {
  const used = [...wanted.filter((ability) => abilities.has(ability)), 'agent=callboard'].join(' ');
  const lines = changes.map(({ name, before, after }, at) =>
    pktLine(`${before} ${after} ${name}${at === 0 ? `\0${used}` : ''}\n`),
  );
  return joined([...lines, flushLine]);
}

/** What became of a push. */
export interface PushReport {
  /** Why the remote took nothing. */
  readonly fault: string | undefined;
  /** The refs that were refused, with the reasons of the remote. */
  readonly refused: readonly { readonly name: string; readonly why: string }[];
}

/** Reads the answer to a push. Throws AppError `bad_request` for bytes that are not of git. */
export function readReport(bytes: Uint8Array, { abilities }: Pick<RemoteRefs, 'abilities'>): PushReport {
  const report = abilities.has('side-band-64k') ? reportOfBands(bytes) : { bytes, fault: undefined };
  if (report.fault !== undefined) return { fault: report.fault, refused: [] };
  const { lines } = readPkts(report.bytes);
  const [first = '', ...rest] = lines.flatMap((line) => (line === 'flush' ? [] : [textOfPkt(line)]));
  const unpacked = first.replace(/^unpack /, '');
  const refused = rest.flatMap((line) => {
    const [, name, why] = /^ng (\S+) ?(.*)$/s.exec(line) ?? [];
    return name === undefined ? [] : [{ name, why: why ?? '' }];
  });
  if (first === '') return { fault: 'it gave no answer', refused };
  return { fault: unpacked === 'ok' ? undefined : unpacked, refused };
}

function reportOfBands(bytes: Uint8Array): { readonly bytes: Uint8Array; readonly fault: string | undefined } {
  const parts: Uint8Array[] = [];
  for (const line of readPkts(bytes).lines) {
    if (line === 'flush') continue;
    if (line[0] === 3) return { bytes: joined(parts), fault: textOfPkt(line.subarray(1)) };
    if (line[0] === 1) parts.push(line.subarray(1));
  }
  return { bytes: joined(parts), fault: undefined };
}
