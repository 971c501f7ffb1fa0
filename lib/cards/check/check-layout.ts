import type { Issue } from '@/lib/base/issue';
import { baseName, configNames, homeName, isCardFolderName, parentOf, settingsName } from '@/lib/cards/file-role';
import type { FileReading } from '@/lib/cards/read/file-reading';
import { makeIssue } from '@/lib/cards/read/file-report';
import { isSecretFile } from '@/lib/cards/secret-files';

type Readings = ReadonlyMap<string, FileReading>;

/**
 * Checks the positions of files: files that fast-agent would read as cards, configs that hide each other, and documents with
 * the name of a `wanted` agent, which a card uses but no card defines.
 */
export function checkLayout(readings: Readings, configFile: string | undefined, wanted: ReadonlySet<string>): Issue[] {
  const cardFolders = findCardFolders(readings);
  const issues: Issue[] = [];
  const add = (code: Parameters<typeof makeIssue>[0], file: string, message: string, line = 1, column = 1) =>
    issues.push(makeIssue(code, { file, line, column }, message));

  for (const [path, { role, foreign, dialect }] of readings) {
    const folder = parentOf(path);
    const isAmongCards = cardFolders.has(folder);
    const name = baseName(path);
    if (role === 'config' && dialect === undefined) {
      if (isAmongCards) {
        const text = `'${name}' is in a card folder, where fast-agent reads it as a card and rejects it. Move the cards to agent-cards/.`;
        add('config-beside-cards', path, text);
      }
      if (configFile !== undefined && path !== configFile) addShadowed(add, path, configFile);
    }
    if (role === 'skill' && isAmongCards) {
      add(
        'skill-beside-cards',
        path,
        'SKILL.md is a skill, not a card, and is refused among cards. Move it under skills/.',
      );
    }
    if (role === 'document' && foreign === undefined && isAmongCards && isMarkdown(name) && wanted.has(stemOf(name))) {
      issues.push(lostCard(path, stemOf(name), 'is named like an agent that other cards use, but'));
    }
    if (isSecretFile(path)) {
      const text = `'${name}' holds secrets, and everyone who sees the project sees them. Use environment variables instead.`;
      add('secrets-in-folder', path, text);
    }
    if (role === 'document' && name === settingsName) {
      add('settings-misplaced', path, `'${path}' is not read. Move it to the top of the project.`);
    }
    if (foreign !== undefined && isAmongCards) {
      const code = foreign.because.includes('TOML') ? 'toml-front-matter' : 'foreign-front-matter';
      const text = `'${name}' is not a card: ${foreign.because}. fast-agent would read it as one here. Move it out of this folder.`;
      add(code, path, text, foreign.line, foreign.column);
    }
  }
  return issues;
}

/** Returns the issue of a file that should define `agent` but is not a card. `how` is the reason for the expectation. */
export function lostCard(file: string, agent: string, how: string): Issue {
  const why = isMarkdown(file)
    ? "it has no front matter. Begin it with the card's fields between two --- lines, or remove it."
    : "it has no card's fields. Write key: value lines, or remove it.";
  const text = `'${baseName(file)}' ${how} it is no card: ${why}`;
  return makeIssue('card-without-front-matter', { file, line: 1, column: 1, agent }, text);
}

function isMarkdown(name: string): boolean {
  return /\.(?:md|markdown)$/i.test(name);
}

function stemOf(name: string): string {
  return name.replace(/\.[^.]+$/, '').replaceAll(' ', '_');
}

/**
 * Returns the config in use. It is in `.fast-agent`, otherwise at the top, as in fast-agent (home.py), otherwise the one
 * with the shortest path. If a folder has two, the newer name is used.
 */
export function findConfig(readings: Readings): string | undefined {
  const rank = (path: string) => {
    const folder = parentOf(path);
    const depth = folder === homeName ? 0 : folder === '' ? 1 : folder.split('/').length + 1;
    return depth * 10 + configNames.indexOf(baseName(path));
  };
  const configs = [...readings.keys()].filter((path) => readings.get(path)?.role === 'config');
  const own = configs.filter((path) => readings.get(path)?.dialect === undefined);
  const paths = own.length > 0 ? own : configs;
  return paths.sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))[0];
}

function findCardFolders(readings: Readings): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const [path, { role, dialect }] of readings) {
    const folder = parentOf(path);
    // Nothing is read as a card beside the agents of another program.
    if (dialect !== undefined) continue;
    if (role === 'card' || isCardFolderName(folder)) folders.add(folder);
  }
  return folders;
}

function addShadowed(
  add: (code: 'config-twice' | 'config-unused', file: string, message: string) => void,
  path: string,
  configFile: string,
): void {
  if (parentOf(path) === parentOf(configFile)) {
    add(
      'config-twice',
      path,
      `'${baseName(path)}' and '${baseName(configFile)}' are two names of one file. Keep one of them.`,
    );
  } else add('config-unused', path, `'${path}' is not read, because '${configFile}' is. Merge it or remove it.`);
}
