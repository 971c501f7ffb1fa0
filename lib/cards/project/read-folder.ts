import type { Issue } from '@/lib/base/issue';
import type { Card } from '@/lib/cards/card';
import { checkAddresses } from '@/lib/cards/check/check-addresses';
import { checkApprovals } from '@/lib/cards/check/check-approvals';
import { checkFiles, missingCode } from '@/lib/cards/check/check-code';
import { checkCycles } from '@/lib/cards/check/check-cycles';
import { checkDepth } from '@/lib/cards/check/check-depth';
import { checkDirectives } from '@/lib/cards/check/check-directives';
import { checkFixtures } from '@/lib/cards/check/check-fixtures';
import { checkHidden } from '@/lib/cards/check/check-hidden';
import { checkHookSettings } from '@/lib/cards/check/check-hook-settings';
import { checkLayout, findConfig } from '@/lib/cards/check/check-layout';
import { checkLookAlikes } from '@/lib/cards/check/check-look-alikes';
import { checkPaths } from '@/lib/cards/check/check-paths';
import { checkPlaceholders } from '@/lib/cards/check/check-placeholders';
import { checkReferences } from '@/lib/cards/check/check-references';
import { checkRouterBraces } from '@/lib/cards/check/check-router-braces';
import { checkSettings } from '@/lib/cards/check/check-settings';
import { checkSkills } from '@/lib/cards/check/check-skills';
import { checkToolCards } from '@/lib/cards/check/check-tool-cards';
import { checkExternalNames, checkToolNames, checkWorkerNames } from '@/lib/cards/check/check-tool-names';
import { checkWorkFolders } from '@/lib/cards/check/check-work-folders';
import { settingsName } from '@/lib/cards/file-role';
import type { Folder, FolderFile } from '@/lib/cards/folder';
import type { FileRole, ParsedFolder, UnreadCard } from '@/lib/cards/parsed-folder';
import type { FileReading } from '@/lib/cards/read/file-reading';
import { makeIssue, maxIssuesPerFile } from '@/lib/cards/read/file-report';
import type { CardReading } from '@/lib/cards/read/read-card';
import { noConfig } from '@/lib/cards/read/read-config';
import { readFile } from '@/lib/cards/read/read-file';
import { noSettings } from '@/lib/cards/read/read-settings';
import { findSecrets } from '@/lib/cards/read/secrets';
import type { Settings } from '@/lib/cards/settings';
import { chooseDialect } from './with-dialect';

/**
 * Reads a folder: the role of each file, every card, the config, the settings, and all issues that the loader, validator
 * and builder of fast-agent and Callboard itself find. A broken file does not hide the issues of others. Never throws.
 * `known` holds earlier readings, for callers that create new file objects for known texts.
 *
 *     file ──readFile (cached)──▶ reading ─┐
 *     file ──readFile (cached)──▶ reading ─┼─▶ checks between files ──▶ ParsedFolder
 *     …                                    ┘
 */
export function readFolder(
  folder: Folder,
  progress: ReadingProgress = unheard,
  known: KnownReadings = noReadings,
): ParsedFolder {
  const own = new Map<string, FileReading>();
  for (const [index, path] of readingOrder(folder).entries()) {
    const file = folder.get(path);
    if (file === undefined) continue;
    progress.file(index);
    own.set(path, rememberedReading(path, file, known));
  }
  progress.together();
  const { dialect, readings, together } = chooseDialect(folder, own, (path) => readFile(path, emptyFile));
  const roles = new Map<string, FileRole>();
  const written: CardReading[] = [];
  const unread = new Map<string, UnreadCard>();
  for (const [path, reading] of readings) {
    if (folder.has(path)) roles.set(path, reading.role);
    if (reading.card !== undefined) written.push(reading.card);
    if (reading.unread !== undefined) unread.set(path, reading.unread);
  }
  const brokenNames = new Set([...unread.values()].map(({ name }) => name));
  const configFile = findConfig(readings);
  const ownConfig = (configFile === undefined ? undefined : readings.get(configFile)?.config?.config) ?? noConfig;
  const { cards, config, issues: told } = together(written, ownConfig);
  const secretsFile = findSecrets({ config, roles });
  const { settings, report } = readings.get(settingsName)?.settings ?? noSettings;
  const shapes = cards.flatMap(({ card }): readonly Card[] => (card === undefined ? [] : [card]));

  const issues: Issue[] = [...told];
  for (const [path, reading] of readings) {
    if (path === configFile || path === config.file || path === secretsFile || !isOneOfSeveral(reading.role))
      issues.push(...reading.issues);
  }
  for (const issue of checkPaths(own.keys())) issues.push(issue);
  issues.push(...checkLayout(readings, configFile, undefinedAgents(cards, settings)));
  issues.push(...checkReferences({ cards, brokenNames, config }));
  issues.push(...checkCycles(cards, settings));
  issues.push(...checkDepth(cards, settings));
  issues.push(...checkToolNames(cards, settings));
  issues.push(...checkFiles(folder, cards, settings));
  issues.push(...checkWorkFolders(folder, shapes, config));
  issues.push(...checkToolCards(shapes, settings));
  issues.push(...checkFixtures(folder, readings, shapes));
  issues.push(...checkSkills(folder, cards));
  issues.push(...checkDirectives(folder, cards));
  issues.push(...checkHidden(folder, { roles, cards: shapes, config }));
  issues.push(...checkLookAlikes(folder, { cards: shapes, config }));
  issues.push(...checkPlaceholders(folder, cards));
  issues.push(...checkAddresses(folder, cards));
  issues.push(...checkRouterBraces(folder, cards));
  if (report !== undefined) {
    issues.push(...checkSettings(settings, report, shapes, brokenNames));
    issues.push(...checkApprovals(settings, report, shapes, brokenNames));
    issues.push(...checkWorkerNames(cards, settings, report));
    issues.push(...checkExternalNames(cards, settings, report));
    issues.push(...checkHookSettings({ folder, settings, report, cards: shapes, brokenNames }));
  }
  return {
    roles,
    cards: shapes,
    unread,
    config,
    settings,
    settingsFile: roles.get(settingsName) === 'settings' ? settingsName : undefined,
    missingCode: missingCode(folder, cards, settings),
    ...(dialect === undefined ? {} : { dialect: dialect.id }),
    issues: capPerFile(issues.sort(byPlace)),
  };
}

/** Stands for a file that a dialect reads without its being there. */
const emptyFile: FolderFile = { kind: 'text', text: '' };

/** Of several files with one of these roles, one is read. The faults of the others do not matter. */
function isOneOfSeveral(role: FileRole): boolean {
  return role === 'config' || role === 'secrets';
}

/** Receives what is read next, so that a caller knows where reading was stopped. */
export interface ReadingProgress {
  /** Called before the file at this index of `readingOrder` is read. */
  file(index: number): void;
  /** Called when all files have been read and the checks between files begin. */
  together(): void;
}

const unheard: ReadingProgress = { file() {}, together() {} };

/** Returns the paths of a folder, in the order in which they are read. */
export function readingOrder(folder: Folder): readonly string[] {
  return [...folder.keys()].sort();
}

/** A cache of readings by path and text, which the caller limits. */
export interface KnownReadings {
  find(path: string, text: string): FileReading | undefined;
  keep(path: string, text: string, reading: FileReading): void;
}

const noReadings: KnownReadings = { find: () => undefined, keep() {} };

/** Keeps readings of file objects that are still in use, so that after an edit of one file only that file is read again. */
const byFile = new WeakMap<FolderFile, { readonly path: string; readonly reading: FileReading }>();

/** Returns what one file says. A file object that was read before is not read again. */
export function readingOf(path: string, file: FolderFile): FileReading {
  return rememberedReading(path, file, noReadings);
}

function rememberedReading(path: string, file: FolderFile, known: KnownReadings): FileReading {
  const last = byFile.get(file);
  if (last?.path === path) return last.reading;
  const text = file.kind === 'text' ? file.text : undefined;
  const before = text === undefined ? undefined : known.find(path, text);
  const reading = before ?? readFile(path, file);
  byFile.set(file, { path, reading });
  if (text !== undefined && before === undefined) known.keep(path, text, reading);
  return reading;
}

/** Returns the names that a card or `entry` uses but no card has. */
function undefinedAgents(cards: readonly CardReading[], settings: Settings): ReadonlySet<string> {
  const names = new Set<string>(settings.entry === undefined ? [] : [settings.entry]);
  for (const { references } of cards) {
    for (const reference of references) if (reference.kind === 'agent') names.add(reference.target);
  }
  for (const { name } of cards) names.delete(name);
  return names;
}

/** Keeps the first issues of each file, and adds an issue where others were left out. */
function capPerFile(sorted: readonly Issue[]): Issue[] {
  let count = 0;
  return sorted.flatMap((issue, index) => {
    count = issue.file === sorted[index - 1]?.file ? count + 1 : 1;
    if (count <= maxIssuesPerFile) return [issue];
    if (count > maxIssuesPerFile + 1) return [];
    const text = `'${issue.file}' has more than ${maxIssuesPerFile} issues; the rest begins here. Correct some to see the rest.`;
    return [makeIssue('more-issues', issue, text)];
  });
}

function byPlace(a: Issue, b: Issue): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  if (a.line !== b.line) return a.line - b.line;
  if (a.column !== b.column) return a.column - b.column;
  return a.code < b.code ? -1 : a.code > b.code ? 1 : 0;
}
