import type { Issue } from '@/lib/base/issue';
import { disguisedLetter, skeletonOf } from '@/lib/base/look-alike';
import { hiddenCharacter } from '@/lib/base/visible-text';
import type { Folder } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { makeIssue } from '@/lib/cards/read/file-report';
import { lineFinder } from '@/lib/cards/read/line-finder';
import { type GivenName, namesIn, placeOfName } from './names-in';

/**
 * Reports names that people take for another one when they approve or review: agents, servers, function tools and files whose
 * names look alike, words that mix Latin letters with letters that look like them, and one function name in two files.
 */
export function checkLookAlikes(folder: Folder, parsed: Pick<ParsedFolder, 'cards' | 'config'>): Issue[] {
  const names = namesIn(folder, parsed);
  const paths = names.filter(({ what }) => what === 'file');
  const others = names.filter(({ what }) => what !== 'file');
  const lines = lineFinder(folder);
  const found = [...among(paths), ...among(others), ...functionsInTwoFiles(others, folder)];
  return found.map(({ given, text }) => makeIssue('look-alike-names', placeOfName(given, lines), text));
}

interface Found {
  readonly given: GivenName;
  readonly text: string;
}

function among(names: readonly GivenName[]): Found[] {
  const bySkeleton = new Map<string, Map<string, GivenName>>();
  for (const given of names) {
    const skeleton = skeletonOf(given.name);
    const alike = bySkeleton.get(skeleton) ?? new Map<string, GivenName>();
    bySkeleton.set(skeleton, alike);
    if (!alike.has(given.name)) alike.set(given.name, given);
  }
  return [...bySkeleton.values()].flatMap((alike) => {
    // The ordinary name is the one that the others look like.
    const [first, ...others] = [...alike.values()].sort((a, b) => beyondAscii(a) - beyondAscii(b));
    if (first === undefined) return [];
    if (others.length > 0) return others.map((given) => ({ given, text: likeAnother(given, first) }));
    const text = disguised(first);
    return text === undefined ? [] : [{ given: first, text }];
  });
}

function beyondAscii({ name }: GivenName): number {
  return name.replace(/[\x20-\x7e]/g, '').length;
}

function likeAnother({ what, name }: GivenName, other: GivenName): string {
  return `The ${what} ${shown(name)} looks like the ${other.what} ${shown(other.name)}. Rename one of them.`;
}

function disguised({ what, name }: GivenName): string | undefined {
  const found = disguisedLetter(name);
  if (found === undefined) return undefined;
  return `The ${what} ${shown(name)} has a letter that looks like '${found.looksLike}' and is another. Write the name in letters of one script.`;
}

/** Returns a name with the codes of its characters beyond ASCII, which tell it from the one it looks like. */
function shown(name: string): string {
  const codes = [...new Set(name.replace(/[\x20-\x7e]/g, ''))].map((character) => hiddenCharacter(character).code);
  const most = 5;
  const listed = codes.length > most ? [...codes.slice(0, most), '…'] : codes;
  return codes.length === 0 ? `'${name}'` : `'${name}' (${listed.join(', ')})`;
}

/** A card that has both is refused for another reason: its tools would have one name. */
function functionsInTwoFiles(names: readonly GivenName[], folder: Folder): Found[] {
  const first = new Map<string, Coded>();
  const told = new Set<string>();
  return names.flatMap(({ code, ...given }) => {
    if (code === undefined || !folder.has(code)) return [];
    const coded = { agent: given.agent, code };
    const other = first.get(given.name) ?? coded;
    first.set(given.name, other);
    const key = `${code}:${given.name}`;
    if (other.code === code || other.agent === given.agent || told.has(key)) return [];
    told.add(key);
    const text = `The function tool '${given.name}' is in '${code}' and another one in '${other.code}'. Who approves a call sees only the name. Rename one of them.`;
    return [{ given, text }];
  });
}

interface Coded extends Pick<GivenName, 'agent'> {
  readonly code: string;
}
