import type { GitHash } from './git-object';
import { noObject } from './git-object';
import { flushLine, joined, pktLine } from './pkt-line';

export type GitService = 'git-upload-pack' | 'git-receive-pack';

export interface GitRef {
  /** The full name, such as `refs/heads/main`. */
  readonly name: string;
  readonly hash: GitHash;
}

export const mainRef = 'refs/heads/main';

const capabilities: Readonly<Record<GitService, string>> = {
  'git-upload-pack': 'multi_ack_detailed no-done side-band-64k ofs-delta no-progress include-tag',
  'git-receive-pack': 'report-status delete-refs side-band-64k quiet ofs-delta no-thin push-options',
};

/** Writes the first answer of smart HTTP: which refs there are, and what the server can do (gitprotocol-http, gitprotocol-pack). */
export function advertisement(service: GitService, refs: readonly GitRef[]): Uint8Array {
  const checkedOut = headOf(refs);
  const isFetch = service === 'git-upload-pack';
  const head = isFetch && checkedOut !== undefined ? [{ name: 'HEAD', hash: checkedOut.hash }] : [];
  const sorted = [...refs].sort((a, b) => (a.name < b.name ? -1 : 1));
  const able = `${capabilities[service]}${head.length > 0 ? ` symref=HEAD:${checkedOut?.name}` : ''} agent=callboard`;
  const listed = [...head, ...sorted];
  const lines =
    listed.length === 0
      ? [pktLine(`${noObject} capabilities^{}\0${able}\n`)]
      : listed.map(({ name, hash }, at) => pktLine(`${hash} ${name}${at === 0 ? `\0${able}` : ''}\n`));
  return joined([pktLine(`# service=${service}\n`), flushLine, ...lines, flushLine]);
}

/** The branch that a clone checks out: what is live, or the draft that every project has while nothing is. */
export function headOf(refs: readonly GitRef[]): GitRef | undefined {
  const named = (wanted: string) => refs.find(({ name }) => name === wanted);
  return named(mainRef) ?? named('refs/heads/draft/main');
}
