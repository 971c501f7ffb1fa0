import type { Card } from '@/lib/cards/card';
import { isIgnoredFolder } from '@/lib/cards/file-role';
import type { Folder } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import type { Place } from '@/lib/cards/read/file-report';
import type { LineFinder } from '@/lib/cards/read/line-finder';

/** A name that people decide by, and where it is given. */
export interface GivenName {
  readonly what: 'agent' | 'server' | 'function tool' | 'file';
  readonly name: string;
  readonly file: string;
  /** The key in the file that gives the name; `undefined` if the file itself has the name. */
  readonly key?: readonly (string | number)[];
  readonly agent?: string;
  /** The file of a function. The folder may not have it. */
  readonly code?: string;
}

/** Returns the names of agents, servers, function tools and files, as programs read them. Installed packages are left out. */
export function namesIn(folder: Folder, { cards, config }: Pick<ParsedFolder, 'cards' | 'config'>): GivenName[] {
  const { file: configFile = '' } = config;
  return [
    ...[...folder.keys()].flatMap((path): GivenName[] =>
      isIgnoredFolder(path) ? [] : [{ what: 'file', name: path, file: path }],
    ),
    ...Object.keys(config.servers).map(
      (name): GivenName => ({ what: 'server', name, file: configFile, key: ['mcp', 'servers', name] }),
    ),
    ...cards.flatMap(namesOfCard),
  ];
}

/** Returns the place of a name. It parses the file, if no place in it was asked for before. */
export function placeOfName({ file, key, agent }: GivenName, lines: LineFinder): Place {
  return { file, line: (key && lines.ofKey(file, key)) ?? 1, column: 1, agent };
}

/** The names of cards that are still in use, so that after an edit of one card only that card is read again. */
const byCard = new WeakMap<Card, readonly GivenName[]>();

function namesOfCard(card: Card): readonly GivenName[] {
  const known = byCard.get(card);
  if (known !== undefined) return known;
  const { file, name: agent } = card;
  const names: GivenName[] = [{ what: 'agent', name: agent, file, key: ['name'], agent }];
  if (card.type === 'agent') {
    for (const [index, tool] of card.functionTools.entries()) {
      const key = ['function_tools', index];
      names.push({ what: 'function tool', name: tool.functionName, file, key, agent, code: tool.file });
    }
    for (const { name } of card.mcpConnect) names.push({ what: 'server', name, file, key: ['mcp_connect'], agent });
  }
  byCard.set(card, names);
  return names;
}
