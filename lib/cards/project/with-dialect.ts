import type { Issue } from '@/lib/base/issue';
import { isRecord } from '@/lib/base/json';
import type { Card } from '@/lib/cards/card';
import type { FastAgentConfig } from '@/lib/cards/config';
import type { Dialect, DialectAgent, DialectNote, PlacedNote } from '@/lib/cards/dialects/form/dialect';
import { quoted } from '@/lib/cards/dialects/form/quoted';
import { dialects } from '@/lib/cards/dialects/list';
import { openWritten } from '@/lib/cards/dialects/open-text';
import { settingsName } from '@/lib/cards/file-role';
import type { Folder } from '@/lib/cards/folder';
import { LineIndex } from '@/lib/cards/line-index';
import type { FileReading } from '@/lib/cards/read/file-reading';
import { makeIssue } from '@/lib/cards/read/file-report';
import type { CardReading } from '@/lib/cards/read/read-card';
import { noConfig, readConfig } from '@/lib/cards/read/read-config';
import { keySpan, parseYaml } from '@/lib/cards/yaml/yaml-source';
import { agentsFurtherDown, agentsNotRead, cardsNotRead, hasAgentCards, hasNoCards } from './format-of-agents';

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
  /** What the issues tell of fields that do not work here, each at its own place. */
  readonly notes: readonly PlacedNote[];
}

/**
 * Chooses the format of a folder's agents. A folder with AgentCards is a folder of AgentCards, whatever else is in it; files of
 * other programs beside them are told once. Otherwise the dialect of the agent that `entry` of callboard.yaml names is its dialect,
 * then the first that has an agent in the folder, then the first that has the folder without an agent.
 */
export function chooseDialect(
  folder: Folder,
  readings: Readings,
  missing: (path: string) => FileReading,
): DialectChoice {
  const isAgent = ({ dialect, role }: FileReading) =>
    role === 'card' && dialect !== undefined && dialect.form?.withoutFile === false;
  const agents = [...readings.values()].filter(isAgent);
  const entry = readings.get(settingsName)?.settings?.settings.entry;
  const entryAgent = agents.find(({ card }) => entry !== undefined && card?.name === entry);
  const found =
    entryAgent?.dialect?.dialect ??
    dialects.find((dialect) => agents.some((reading) => reading.dialect?.dialect === dialect)) ??
    (hasNoCards(readings) ? dialects.find((dialect) => dialect.isProject?.(folder)) : undefined);
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
        agentsNotRead(
          one,
          dialect,
          told.flatMap(([path, { dialect: of }]) => (of?.dialect === one ? [path] : [])),
        ),
      );
      others.push(...dialects.flatMap((one) => agentsFurtherDown(one, readings.keys())));
      if (dialect === undefined) return { cards, config, issues: others, notes: [] };
      const whole = joined(dialect, folder, chosen, cards, config);
      return { ...whole, issues: [...whole.issues, ...cardsNotRead(dialect, folder, readings), ...others] };
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

function joined(
  dialect: Dialect,
  folder: Folder,
  readings: Readings,
  cards: readonly CardReading[],
  read: FastAgentConfig,
): DialectTogether {
  const config = withServers(dialect, readings, read);
  const agents: DialectAgent[] = [];
  const notes: PlacedNote[] = [...configNotes(config, read)];
  for (const [file, { card, dialect: own }] of readings) {
    if (own?.form === undefined) continue;
    for (const note of own.notes) notes.push({ file, note });
    if (card?.card !== undefined) agents.push({ card: card.card, form: own.form, written: own.written });
  }
  const whole = dialect.together({ agents, config, folder });
  const complete = new Map(whole.cards.map((card): [string, Card] => [card.file, card]));
  return {
    cards: cards.flatMap((reading) => completed(reading, complete)),
    config,
    notes: [...notes, ...whole.notes],
    issues: [...issuesOf(folder, [...notes, ...whole.notes]), ...(whole.faults ?? []).map(faultIssue)],
  };
}

/** A server or an agent that the card is without, because the dialect ignores it, is no reference. */
function completed(reading: CardReading, whole: ReadonlyMap<string, Card>): readonly CardReading[] {
  if (reading.card === undefined) return [reading];
  const card = whole.get(reading.card.file);
  if (card === undefined) return [];
  const servers = card.type === 'agent' ? card.servers : [];
  const agents = card.type === 'agent' ? card.agents : [];
  const references = reading.references.filter((one) => {
    if (one.kind === 'server') return servers.includes(one.target);
    return one.kind !== 'agent' || agents.includes(one.target);
  });
  return [{ ...reading, card, name: card.name, references }];
}

function faultIssue({ file, message }: { readonly file: string; readonly message: string }): Issue {
  return makeIssue('dialect-unreadable', { file, line: 1, column: 1 }, message);
}

/**
 * Servers stand in the file of the dialect, and in no other. The models and providers of fast-agent's config hold beside them.
 * The values are read together, as they are with a secrets file.
 */
function withServers(dialect: Dialect, readings: Readings, read: FastAgentConfig): FastAgentConfig {
  const { configFile } = dialect;
  if (configFile === undefined) return read;
  const own = read.file === configFile ? read : (readings.get(configFile)?.config?.config ?? noConfig);
  if (read === own || read.file === undefined) return { ...own, file: configFile, beside: { file: undefined } };
  const raw = { ...mappingOf(read.raw), mcp: mappingOf(own.raw).mcp ?? {} };
  const { config } = readConfig(configFile, '', { ...parseYaml({ text: '', offset: 0 }), value: raw });
  return { ...config, beside: { file: read.file } };
}

const mappingOf = (value: unknown) => (isRecord(value) ? value : {});

/** Servers of fast-agent's config do not count in a folder of a dialect that has a file for servers. */
function configNotes(config: FastAgentConfig, read: FastAgentConfig): readonly PlacedNote[] {
  const names = Object.keys(read.servers);
  if (read.file === undefined || config.beside?.file !== read.file || names.length === 0) return [];
  const say = (words: readonly string[]) =>
    `Servers of ${read.file} are kept and do not run in this folder: ${quoted(words)}. Define them in ${config.file}.`;
  const note = { key: 'config-servers', use: 'cannot-run', path: ['mcp'], words: names, say } as const;
  return [{ file: read.file, note }];
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
  const yaml = openWritten(file, entry.text)?.yaml;
  const span = yaml === undefined ? undefined : keySpan(yaml, path);
  return span === undefined ? start : { file, ...new LineIndex(entry.text).positionOf(span.start) };
}
