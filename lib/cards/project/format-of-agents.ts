import type { Issue } from '@/lib/base/issue';
import { isRecord } from '@/lib/base/json';
import type { Dialect } from '@/lib/cards/dialects/form/dialect';
import { openText } from '@/lib/cards/dialects/open-text';
import { baseName, homeName, isCardFolderName, isIgnoredFolder, parentOf, settingsName } from '@/lib/cards/file-role';
import type { Folder } from '@/lib/cards/folder';
import { isCertainCard, isLikelyCard } from '@/lib/cards/read/card-fields';
import type { FileReading } from '@/lib/cards/read/file-reading';
import { makeIssue } from '@/lib/cards/read/file-report';
import { isMapping } from '@/lib/cards/yaml/pyyaml';

type Readings = ReadonlyMap<string, FileReading>;

type Fields = Readonly<Record<string, unknown>>;

/**
 * True if AgentCards are the agents of the folder. One is enough: in a folder of cards, of a type or with a field that only
 * cards have, or the `entry` of callboard.yaml. Beside a config with servers, which other programs do not write, a model is enough.
 */
export function hasAgentCards(folder: Folder, readings: Readings): boolean {
  const cards = [...readings].filter(([, { role }]) => role === 'card');
  const own = cards.filter(([, { dialect }]) => dialect === undefined);
  if (own.some(([path]) => isCardFolderName(parentOf(path)) || baseName(parentOf(path)) === homeName)) return true;
  const hasServers = hasServersOfCards(readings);
  const isOurs = (fields: Fields) => isCertainCard(fields) || (hasServers && isLikelyCard(fields));
  if (own.some(([path]) => isOurs(fieldsOf(folder, path)))) return true;
  const entry = readings.get(settingsName)?.settings?.settings.entry;
  const named = cards.filter(([, { card, unread }]) => entry !== undefined && (card ?? unread)?.name === entry);
  return named.length > 0 && named.every(([, { dialect }]) => dialect === undefined);
}

/** True if nothing in the folder is an AgentCard or a config with servers for them. */
export function hasNoCards(readings: Readings): boolean {
  const isCard = ({ role, dialect }: FileReading) => role === 'card' && dialect === undefined;
  return ![...readings.values()].some(isCard) && !hasServersOfCards(readings);
}

function hasServersOfCards(readings: Readings): boolean {
  return [...readings.values()].some(({ config, dialect }) => {
    const raw = dialect === undefined ? config?.config.raw : undefined;
    return isRecord(raw) && raw.mcp !== undefined;
  });
}

function fieldsOf(folder: Folder, path: string): Fields {
  const file = folder.get(path);
  const value = file?.kind === 'text' ? openText(path, file.text)?.yaml?.value : undefined;
  return isMapping(value) ? value : {};
}

/** Tells the agents of a dialect that are not read, because the folder has AgentCards or agents of another dialect. */
export function agentsNotRead(
  dialect: Dialect,
  chosen: Dialect | undefined,
  files: readonly string[],
): readonly Issue[] {
  const [file] = files;
  if (file === undefined) return [];
  const [agents, are] = files.length === 1 ? ['An agent', 'is'] : [`${files.length} agents`, 'are'];
  const text = `${agents} of ${dialect.name} in ${dialect.directory} ${are} kept and not read, because the folder has ${chosen === undefined ? 'AgentCards' : `agents of ${chosen.name}`}.`;
  return [makeIssue('dialect-not-read', { file, line: 1, column: 1 }, text)];
}

/** Tells the agents of projects further down in the folder, such as `apps/web/.claude/agents/x.md`. */
export function agentsFurtherDown(dialect: Dialect, paths: Iterable<string>): readonly Issue[] {
  const inside = `/${dialect.directory}/`;
  const files = [...paths]
    .filter((path) => path.includes(inside) && path.endsWith('.md'))
    .filter((path) => !isIgnoredFolder(path.slice(0, path.indexOf(inside) + 1)))
    .sort();
  const [file] = files;
  if (file === undefined) return [];
  const above = file.slice(0, file.indexOf(inside));
  const what = files.length === 1 ? 'A file with an agent' : `${files.length} files with agents`;
  const text = `${what} of ${dialect.name} in a folder further down ${files.length === 1 ? 'is' : 'are'} kept and not read. To see the agents of '${above}', make that folder a project of its own.`;
  return [makeIssue('dialect-not-read', { file, line: 1, column: 1 }, text)];
}

/** Tells the cards that are not read, because the agents of the folder are those of a dialect. Pages are no cards. */
export function cardsNotRead(dialect: Dialect, folder: Folder, readings: Readings): readonly Issue[] {
  const files = [...readings].flatMap(([path, { role, dialect: of }]) =>
    role === 'card' && of === undefined && isLikelyCard(fieldsOf(folder, path)) ? [path] : [],
  );
  const [file] = files.sort();
  if (file === undefined) return [];
  const [cards, are] = files.length === 1 ? ['A file', 'is'] : [`${files.length} files`, 'are'];
  const text = `${cards} that may be ${files.length === 1 ? 'an AgentCard' : 'AgentCards'} ${are} kept and not read, because the folder has agents of ${dialect.name} in ${dialect.directory}. If AgentCards are the agents of this folder, put them into agent-cards/.`;
  return [makeIssue('dialect-not-read', { file, line: 1, column: 1 }, text)];
}
