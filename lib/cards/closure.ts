import { canonicalJson } from '@/lib/base/canonical-json';
import type { Json } from '@/lib/base/json';
import { sha256 } from '@/lib/base/sha256';
import { isFixtureFile } from './fixture-files';
import type { Folder } from './folder';
import type { FileRole, ParsedFolder } from './parsed-folder';
import { defaultSettings } from './settings';

/*
 * The closure of a folder: everything that decides what its runs do, and so what a review of it covers. A review is given for the hash
 * of the closure.
 *
 *   cards, skills, code, config, callboard.yaml      always; of callboard.yaml not the layout, and not its form
 *   other files                                      if a covered text names the file or one of its folders, or a model may choose any
 *   tests, with recordings and attachments           always: they say what a release may do. What they name is not covered by that
 *   MCP servers                                      the tools, resources and prompts that they listed last
 *
 * When in doubt a file is covered: an approval that ends too early asks again, and one that ends too late hides a change.
 */

export const closureKinds = ['card', 'skill', 'code', 'config', 'settings', 'file', 'test', 'server'] as const;
export type ClosureKind = (typeof closureKinds)[number];

/** A part of a closure. `name` is the path of a file, or the name of a server. */
export type ClosurePart = readonly [kind: ClosureKind, name: string, hash: string];

export interface Closure {
  /** Sorted by kind, then by name. */
  readonly parts: readonly ClosurePart[];
  /** SHA-256 (hex) of the parts as JSON text. */
  readonly hash: string;
}

/** What a closure is made of, before hashes are known. */
export interface Covered {
  readonly files: readonly (readonly [kind: Exclude<ClosureKind, 'server'>, path: string])[];
  /** A hash of what callboard.yaml decides, in place of the hash of its bytes. Absent if the file is faulty. */
  readonly settings?: string | undefined;
  /** Names of the MCP servers that the folder declares. */
  readonly servers: readonly string[];
}

const kindOfRole: Readonly<Partial<Record<FileRole, Exclude<ClosureKind, 'server'>>>> = {
  card: 'card',
  skill: 'skill',
  code: 'code',
  config: 'config',
  secrets: 'config',
  settings: 'settings',
};

export function coveredBy(folder: Folder, parsed: ParsedFolder): Covered {
  const files = new Map<string, Exclude<ClosureKind, 'server'>>();
  const words = new Set<string>();
  const cover = (path: string, kind: Exclude<ClosureKind, 'server'>) => {
    files.set(path, kind);
    const file = folder.get(path);
    if (file?.kind === 'text')
      for (const [word] of file.text.matchAll(wordPattern)) words.add(word.replace(/\.+$/, ''));
  };
  for (const path of folder.keys()) {
    const kind = kindOfRole[parsed.roles.get(path) ?? 'document'];
    if (isFixtureFile(path)) files.set(path, 'test');
    else if (kind !== undefined) cover(path, kind);
  }
  const skillFolders = [...files].flatMap(([path, kind]) =>
    kind === 'skill' ? [path.slice(0, path.lastIndexOf('/') + 1)] : [],
  );
  const inSkill = (path: string) => skillFolders.some((at) => at !== '' && path.startsWith(at));
  const isFree = mayChooseFiles(parsed);
  // A file that is covered may name more files.
  for (let before = -1; before !== files.size; ) {
    before = files.size;
    for (const path of folder.keys()) {
      if (files.has(path)) continue;
      if (inSkill(path)) cover(path, 'skill');
      else if (isFree || isNamed(path, words)) cover(path, 'file');
    }
  }
  const connected = parsed.cards.flatMap((card) =>
    card.type === 'agent' ? card.mcpConnect.flatMap(({ name }) => name ?? []) : [],
  );
  const servers = new Set([...Object.keys(parsed.config.servers), ...connected]);
  return {
    files: [...files].map(([path, kind]) => [kind, path] as const),
    servers: [...servers],
    settings: settingsHash(parsed),
  };
}

/** True if a model may read, or hand to a child, any file of the folder, whether something names it or not. */
function mayChooseFiles({ settings, cards }: ParsedFolder): boolean {
  const edges = Object.values(settings.delegations).flatMap((children) => Object.values(children));
  return (
    settings.runtime_tools.files === true ||
    [settings.delegation_defaults, ...edges].some(({ attachments }) => attachments !== undefined) ||
    cards.some((card) => card.type === 'agent' && card.shell)
  );
}

/** Settings for people at the canvas, which no run reads. */
const forPeople = new Set(['canvas', 'example_message']);

/** A default that is written out counts like one that is not, so that a new key with a default gives no other hash. */
function settingsHash({ settings, settingsFile, issues }: ParsedFolder): string | undefined {
  // A hook that is off is no fault of the file.
  const isFaulty = issues.some(({ file, code }) => file === settingsFile && code !== 'hook-off');
  if (settingsFile === undefined || isFaulty) return undefined;
  const usual = new Map<string, unknown>(Object.entries(defaultSettings));
  const said = Object.entries(settings).filter(
    ([key, value]) => !forPeople.has(key) && JSON.stringify(value) !== JSON.stringify(usual.get(key)),
  );
  const json: Json = JSON.parse(JSON.stringify(Object.fromEntries(said)));
  return sha256(new TextEncoder().encode(`settings ${canonicalJson(json)}`));
}

const wordPattern = /[\p{L}\p{N}_.-]+/gu;

/** True if a text has the name of the file, with or without its ending, or that of a folder that it is in. */
function isNamed(path: string, words: ReadonlySet<string>): boolean {
  const parts = path.split('/');
  const stem = (parts.at(-1) ?? '').replace(/\.[^.]*$/, '');
  return [...parts, stem].some((part) => words.has(part) || part.replace(wordPattern, '') !== '');
}

/**
 * Makes a closure. `blobs` has the hash of each file. `offers` has a hash of what a server listed, and nothing for a server that was
 * never listed.
 */
export function closureOf(
  covered: Covered,
  blobs: ReadonlyMap<string, string>,
  offers: ReadonlyMap<string, string>,
): Closure {
  const parts: ClosurePart[] = [];
  for (const [kind, path] of covered.files) {
    const hash = blobs.get(path);
    if (hash !== undefined) parts.push([kind, path, kind === 'settings' ? (covered.settings ?? hash) : hash]);
  }
  for (const server of covered.servers) {
    const hash = offers.get(server);
    if (hash !== undefined) parts.push(['server', server, hash]);
  }
  return closed(parts);
}

function closed(parts: readonly ClosurePart[]): Closure {
  const sorted = [...parts].sort((a, b) => compare(a[0], b[0]) || compare(a[1], b[1]));
  return { parts: sorted, hash: sha256(new TextEncoder().encode(JSON.stringify(sorted))) };
}

/**
 * Adds the tests of a tree to a closure that was stored before tests were covered. So it equals a new closure of the same files, and
 * differs from one of other tests. A newer closure stays as it is.
 */
export function withTests(parts: readonly ClosurePart[], blobs: ReadonlyMap<string, string>): Closure {
  if (parts.some(([kind]) => kind === 'test')) return closed(parts);
  const tests = [...blobs].flatMap(([path, hash]) => (isFixtureFile(path) ? [['test', path, hash] as const] : []));
  return closed([...parts.filter(([kind, name]) => kind === 'server' || !isFixtureFile(name)), ...tests]);
}

/** The hashes under which a closure may be stored: its own, and the one from before tests were covered. */
export function hashesOf({ hash, parts }: Closure): readonly string[] {
  return [hash, closed(parts.filter(([kind]) => kind !== 'test')).hash];
}

/** Compares by UTF-16 code units, which gives the same order on every machine. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
