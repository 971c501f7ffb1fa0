import type { Issue } from '@/lib/base/issue';
import type { Card } from '@/lib/cards/card';
import type { FastAgentConfig } from '@/lib/cards/config';
import type { Dialect, DialectAgent, DialectNote, PlacedNote } from '@/lib/cards/dialects/form/dialect';
import { dialects } from '@/lib/cards/dialects/list';
import { openText } from '@/lib/cards/dialects/open-text';
import { baseName, isCardFolderName, parentOf } from '@/lib/cards/file-role';
import type { Folder } from '@/lib/cards/folder';
import { LineIndex } from '@/lib/cards/line-index';
import type { FileReading } from '@/lib/cards/read/file-reading';
import { makeIssue } from '@/lib/cards/read/file-report';
import type { CardReading } from '@/lib/cards/read/read-card';
import { noConfig } from '@/lib/cards/read/read-config';
import { isMapping } from '@/lib/cards/yaml/pyyaml';
import { keySpan } from '@/lib/cards/yaml/yaml-source';

type Readings = ReadonlyMap<string, FileReading>;

/** The readings of a folder in which one format is chosen for all its agents. */
export interface DialectChoice {
  /** The dialect of the folder. `undefined` for AgentCards. */
  readonly dialect: Dialect | undefined;
  /** Files of other formats are documents. */
  readonly readings: Readings;
  /** Completes what the files say with what they say together. */
  together(cards: readonly CardReading[], config: FastAgentConfig): DialectTogether;
}

export interface DialectTogether {
  readonly cards: readonly CardReading[];
  readonly config: FastAgentConfig;
  readonly issues: readonly Issue[];
}

/**
 * Chooses the format of a folder's agents. A folder with AgentCards is a folder of AgentCards, whatever else is in it; files of
 * other programs beside them are told once. Otherwise the first dialect that has an agent in the folder is its dialect.
 */
export function chooseDialect(
  folder: Folder,
  readings: Readings,
  missing: (path: string) => FileReading,
): DialectChoice {
  const isAgent = ({ dialect, role }: FileReading) =>
    role === 'card' && dialect !== undefined && dialect.form?.withoutFile === false;
  const agents = [...readings.values()].filter(isAgent);
  const found = dialects.find((dialect) => agents.some((reading) => reading.dialect?.dialect === dialect));
  const dialect = found !== undefined && !hasAgentCards(folder, readings) ? found : undefined;
  const told = [...readings].filter(([, reading]) => isAgent(reading) && reading.dialect?.dialect !== dialect);
  const chosen = new Map<string, FileReading>();
  for (const [path, reading] of readings) chosen.set(path, isOf(dialect, reading) ? reading : asDocument(reading));
  for (const path of [dialect?.mainFile, dialect?.configFile]) {
    if (path !== undefined && !folder.has(path)) chosen.set(path, missing(path));
  }
  return {
    dialect,
    readings: chosen,
    together: (cards, config) => {
      const others = dialects.flatMap((one) =>
        notRead(
          one,
          told.filter(([, { dialect: of }]) => of?.dialect === one),
        ),
      );
      if (dialect === undefined) return { cards, config, issues: others };
      const whole = joined(dialect, folder, chosen, cards, config);
      return { ...whole, issues: [...whole.issues, ...others] };
    },
  };
}

/** True if a file counts in a folder of this dialect. The config of fast-agent also counts for its models and providers. */
function isOf(dialect: Dialect | undefined, reading: FileReading): boolean {
  if (reading.dialect !== undefined) return reading.dialect.dialect === dialect;
  return dialect === undefined || reading.role !== 'card';
}

function asDocument({ role, issues, dialect }: FileReading): FileReading {
  if (dialect === undefined)
    return { role: role === 'card' ? 'document' : role, issues: role === 'card' ? [] : issues };
  return { role: 'document', issues: [] };
}

/** Fields that only AgentCards have. A document may have some of the others. */
const ownFields = new Set(
  `agents servers instruction function_tools tool_hooks lifecycle_hooks mcp_connect use_history request_params tool_only
  human_input sequence fan_out generator worker schema_version default`.split(/\s+/),
);

function hasAgentCards(folder: Folder, readings: Readings): boolean {
  return [...readings].some(([path, reading]) => {
    if (reading.role !== 'card' || reading.dialect !== undefined) return false;
    if (isCardFolderName(parentOf(path)) || baseName(parentOf(path)) === '.fast-agent') return true;
    const file = folder.get(path);
    const value = file?.kind === 'text' ? openText(path, file.text)?.yaml?.value : undefined;
    return isMapping(value) && Object.keys(value).some((key) => ownFields.has(key));
  });
}

function notRead(dialect: Dialect, told: readonly (readonly [string, FileReading])[]): readonly Issue[] {
  const [first] = told;
  if (first === undefined) return [];
  const count = told.length === 1 ? 'An agent' : `${told.length} agents`;
  const text = `${count} of ${dialect.name} in ${dialect.directory} ${told.length === 1 ? 'is' : 'are'} kept and not read, because the folder has AgentCards. Import ${dialect.directory} alone to draw ${told.length === 1 ? 'it' : 'them'}.`;
  return [makeIssue('dialect-not-read', { file: first[0], line: 1, column: 1 }, text)];
}

function joined(
  dialect: Dialect,
  folder: Folder,
  readings: Readings,
  cards: readonly CardReading[],
  read: FastAgentConfig,
): DialectTogether {
  const config = withServers(dialect, readings, read);
  const agents: DialectAgent[] = [];
  const notes: PlacedNote[] = [];
  for (const [file, { card, dialect: own }] of readings) {
    if (own?.form === undefined) continue;
    for (const note of own.notes) notes.push({ file, note });
    if (card?.card !== undefined) agents.push({ card: card.card, form: own.form, written: own.written });
  }
  const whole = dialect.together({ agents, config, folder });
  const complete = new Map(whole.cards.map((card): [string, Card] => [card.file, card]));
  return {
    cards: cards.map((reading) => completed(reading, complete.get(reading.card?.file ?? ''))),
    config,
    issues: issuesOf(folder, [...notes, ...whole.notes]),
  };
}

/** A server that the card is without, because the dialect ignores it, is no reference. */
function completed(reading: CardReading, card: Card | undefined): CardReading {
  if (card === undefined) return reading;
  const servers = card.type === 'agent' ? card.servers : [];
  const references = reading.references.filter((one) => one.kind !== 'server' || servers.includes(one.target));
  return { ...reading, card, references };
}

/** Servers stand in the file of the dialect. The models and providers of fast-agent's config hold beside them. */
function withServers(dialect: Dialect, readings: Readings, read: FastAgentConfig): FastAgentConfig {
  const { configFile } = dialect;
  if (configFile === undefined) return read;
  const own = readings.get(configFile)?.config?.config ?? noConfig;
  return read.file === configFile ? read : { ...read, file: configFile, servers: { ...read.servers, ...own.servers } };
}

/** Makes one Issue of all notes with the same key, at the place of the first. */
function issuesOf(folder: Folder, notes: readonly PlacedNote[]): readonly Issue[] {
  const groups = new Map<string, PlacedNote[]>();
  for (const placed of [...notes].sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0))) {
    const group = groups.get(placed.note.key);
    if (group === undefined) groups.set(placed.note.key, [placed]);
    else group.push(placed);
  }
  return [...groups.values()].flatMap(([first, ...more]) => {
    if (first === undefined) return [];
    const { note, file } = first;
    const words = [...new Set([first, ...more].flatMap((one) => one.note.words))].sort();
    const files = new Set([first, ...more].map((one) => one.file)).size;
    const where = files === 1 ? '' : ` This is the first of ${files} files.`;
    const code = note.use === 'kept' ? 'dialect-kept' : 'dialect-cannot-run';
    return [makeIssue(code, placeOf(folder, file, note), `${note.say(words)}${where}`)];
  });
}

function placeOf(folder: Folder, file: string, { path }: DialectNote) {
  const entry = folder.get(file);
  const start = { file, line: 1, column: 1 };
  if (entry?.kind !== 'text' || path.length === 0) return start;
  const yaml = openText(file, entry.text)?.yaml;
  const span = yaml === undefined ? undefined : keySpan({ ...yaml, asWritten: (at) => at }, path);
  return span === undefined ? start : { file, ...new LineIndex(entry.text).positionOf(span.start) };
}
