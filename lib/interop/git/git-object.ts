import { AppError } from '@/lib/base/app-error';
import { type Brand, brandAs } from '@/lib/base/ids';
import { joined } from './pkt-line';

/** The SHA-1 of a git object as lower-case hex. */
export type GitHash = Brand<string, 'GitHash'>;
export type GitKind = 'commit' | 'tree' | 'blob' | 'tag';

export interface GitObject {
  readonly kind: GitKind;
  readonly body: Uint8Array;
}

/** What stands for "no object" in ref updates. */
export const noObject = brandAs<GitHash>('0'.repeat(40));

export function readHash(text: string): GitHash | undefined {
  return /^[0-9a-f]{40}$/.test(text) ? brandAs<GitHash>(text) : undefined;
}

/** The modes that a project has: a file, a file that may be executed, a folder. */
export type GitMode = '100644' | '100755' | '40000';

export interface TreeItem {
  readonly mode: GitMode;
  readonly name: string;
  readonly hash: GitHash;
}

/** Writes a tree, sorted as git sorts: by bytes, and a folder as if its name ended with a slash. */
export function treeBody(items: readonly TreeItem[]): Uint8Array {
  const sorted = items
    .map((item) => ({ ...item, key: keyOf(item) }))
    .sort((a, b) => compareBytes(a.key, b.key))
    .map(({ mode, name, hash }) => joined([new TextEncoder().encode(`${mode} ${name}\0`), bytesOfHash(hash)]));
  return joined(sorted);
}

const otherModes: Readonly<Record<string, string>> = {
  '120000': 'is a symbolic link. Put the file itself into the commit',
  '160000': 'is a submodule. Put its files into the commit',
};

/**
 * Reads a tree of a stranger. `folder` is where it is, with a slash at the end, for sentences. Throws AppError `bad_request` for
 * links, submodules, names that no folder may have, and trees that git itself would not write.
 */
export function readTreeBody(body: Uint8Array, folder: string): readonly TreeItem[] {
  const items: TreeItem[] = [];
  let before: Uint8Array | undefined;
  for (let at = 0; at < body.length; ) {
    const space = body.indexOf(0x20, at);
    const end = body.indexOf(0, at);
    if (space === -1 || end < space || end + 21 > body.length) throw damaged('tree');
    const mode = new TextDecoder().decode(body.subarray(at, space));
    const name = decodeName(body.subarray(space + 1, end), folder);
    if (mode !== '100644' && mode !== '100755' && mode !== '40000') {
      const why = otherModes[mode] ?? 'has a mode that a project cannot keep. Commit it as an ordinary file';
      throw new AppError('bad_request', `"${folder}${name}" ${why}.`);
    }
    const item = { mode, name, hash: hashOfBytes(body.subarray(end + 1, end + 21)) } as const;
    const key = keyOf(item);
    if (before !== undefined && compareBytes(before, key) >= 0) throw damaged('tree');
    before = key;
    items.push(item);
    at = end + 21;
  }
  return items;
}

function decodeName(bytes: Uint8Array, folder: string): string {
  let name: string;
  try {
    name = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new AppError('bad_request', `A name in "${folder}" is not UTF-8. Rename the file.`);
  }
  if (name === '' || name === '.' || name === '..' || name.includes('/') || isGitFolder(name)) {
    throw new AppError('bad_request', `"${folder}${name}" is a path that a project cannot keep. Rename it.`);
  }
  return name;
}

/** True for names that a file system may take for `.git`, which git clients refuse to write (CVE-2014-9390). */
export function isGitFolder(name: string): boolean {
  const plain = name
    .replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, '')
    .replace(/:.*$/s, '')
    .replace(/[. ]+$/, '')
    .toLowerCase();
  return plain === '.git' || plain === 'git~1';
}

/** Who made a commit, or wrote a change, and when. */
export interface Signature {
  readonly name: string;
  readonly email: string;
  /** Seconds since 1970, in UTC. */
  readonly seconds: number;
}

export interface NewCommit {
  readonly tree: GitHash;
  readonly parents: readonly GitHash[];
  readonly author: Signature;
  readonly message: string;
}

/** Writes a commit. The same values give the same bytes. */
export function commitBody({ tree, parents, author, message }: NewCommit): Uint8Array {
  const who = `${namePart(author.name)} <${namePart(author.email)}> ${author.seconds} +0000`;
  const text = `${message.replaceAll('\0', ' ').trim()}\n`;
  const lines = [`tree ${tree}`, ...parents.map((parent) => `parent ${parent}`), `author ${who}`, `committer ${who}`];
  return new TextEncoder().encode(`${lines.join('\n')}\n\n${text}`);
}

/** A name cannot have the characters that end it, and git removes punctuation from its ends. */
function namePart(text: string): string {
  const plain = text.replace(/[<>\p{Cc}]/gu, ' ').trim();
  return plain === '' ? 'unknown' : plain;
}

export interface ReadCommit {
  readonly tree: GitHash;
  readonly parents: readonly GitHash[];
  readonly author: Signature;
  readonly message: string;
}

const signature = /^([^<>\n\0]*?) ?<([^<>\n\0]*)> (0|[1-9]\d{0,11}) [+-]\d{4}$/;
const mostParents = 16;

/** Reads a commit of a stranger. Throws AppError `bad_request` for one that `git fsck --strict` would not accept. */
export function readCommit(body: Uint8Array): ReadCommit {
  const text = new TextDecoder().decode(body);
  const end = text.indexOf('\n\n');
  const head = (end === -1 ? text : text.slice(0, end)).split('\n');
  const tree = readHash(head[0]?.replace(/^tree /, '') ?? '');
  const parents: GitHash[] = [];
  let at = 1;
  for (; head[at]?.startsWith('parent ') === true; at += 1) {
    const parent = readHash(head[at]?.slice('parent '.length) ?? '');
    if (parent === undefined) throw damaged('commit');
    parents.push(parent);
  }
  const author = readSignature('author ', head[at]);
  const committer = readSignature('committer ', head[at + 1]);
  if (tree === undefined || author === undefined || committer === undefined || text.includes('\0')) {
    throw damaged('commit');
  }
  if (parents.length > mostParents) {
    throw new AppError('bad_request', `A commit has ${parents.length} parents; at most ${mostParents} are kept.`);
  }
  return { tree, parents, author, message: end === -1 ? '' : text.slice(end + 2).trimEnd() };
}

function readSignature(label: string, line: string | undefined): Signature | undefined {
  if (line?.startsWith(label) !== true) return undefined;
  const found = signature.exec(line.slice(label.length));
  return found === null ? undefined : { name: found[1] ?? '', email: found[2] ?? '', seconds: Number(found[3]) };
}

function damaged(kind: GitKind): AppError {
  return new AppError('bad_request', `A ${kind} of the push is damaged. Run git fsck in your repository.`);
}

export function bytesOfHash(hash: GitHash): Uint8Array {
  return Uint8Array.from({ length: 20 }, (_, index) => Number.parseInt(hash.slice(2 * index, 2 * index + 2), 16));
}

export function hashOfBytes(bytes: Uint8Array): GitHash {
  return brandAs<GitHash>([...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(''));
}

function keyOf({ mode, name }: TreeItem): Uint8Array {
  return new TextEncoder().encode(mode === '40000' ? `${name}/` : name);
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length);
  for (let at = 0; at < shared; at += 1) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
