import type { Issue } from '@/lib/base/issue';
import { howToList } from '@/lib/base/project-env';
import { variablesIn } from '@/lib/base/variables';
import { variablesOfCard } from './card-variables';
import type { ServerConfig } from './config';
import type { Folder } from './folder';
import type { ParsedFolder } from './parsed-folder';
import { makeIssue } from './read/file-report';
import { LineIndex } from './yaml/line-index';

/** A variable of the environment that a folder asks for with `${NAME}`. */
export interface AskedVariable {
  readonly name: string;
  /** In the order of the files. */
  readonly uses: readonly AskedUse[];
}

export interface AskedUse {
  /** The server whose settings name it. */
  readonly server: string;
  /** The config, or the card whose `mcp_connect` brings the server. */
  readonly file: string;
  readonly agent: string | undefined;
  /** Whether the folder says what to use where the variable is not given: `${NAME:default}`. */
  readonly hasDefault: boolean;
}

/**
 * Names of the variables that the servers of a folder would read, sorted by name: their settings in the config and
 * `mcp_connect` in cards. For the other fields of cards see `variablesOfCard`. With the config of `withSecrets` it also knows what the
 * folder's secrets file names.
 */
export function askedVariables({ cards, config }: Pick<ParsedFolder, 'cards' | 'config'>): readonly AskedVariable[] {
  const byName = new Map<string, AskedUse[]>();
  const add = (texts: readonly (string | undefined)[], where: Omit<AskedUse, 'hasDefault'>) => {
    for (const text of texts) {
      for (const { name, fallback } of variablesIn(text ?? '')) {
        const use = { ...where, hasDefault: fallback !== undefined };
        const uses = byName.get(name);
        if (uses === undefined) byName.set(name, [use]);
        else uses.push(use);
      }
    }
  };
  const configFile = config.file ?? 'fast-agent.yaml';
  for (const server of Object.values(config.servers)) {
    add(textsOf(server), { server: server.name, file: configFile, agent: undefined });
  }
  for (const card of cards) {
    if (card.type !== 'agent') continue;
    for (const { name, target, headers, accessToken } of card.mcpConnect) {
      const where = { server: name, file: card.file, agent: card.name };
      add([target, ...Object.values(headers), accessToken], where);
    }
  }
  return [...byName].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, uses]) => ({ name, uses }));
}

function textsOf({ command, args, env, cwd, url, headers, accessToken, roots }: ServerConfig) {
  const uris = roots.map(({ uri }) => uri);
  return [command, ...args, ...Object.values(env), cwd, url, ...Object.values(headers), accessToken, ...uris];
}

/** A variable that a server needs, with the warning for an installation that does not give it. */
export interface NeededVariable {
  readonly name: string;
  readonly issue: Issue;
}

/**
 * For each server the variables without a default. Where the operator does not list one in CALLBOARD_PROJECT_ENV, the server
 * would not start (docs/mcp.md, Secrets): its issue says so. The folder itself is not at fault.
 */
export function neededVariables(folder: Folder, parsed: ParsedFolder): readonly NeededVariable[] {
  return [...neededByServers(folder, parsed), ...neededByCards(folder, parsed)];
}

/** They stay as they are written, so a run goes on. */
function neededByCards(folder: Folder, { cards }: ParsedFolder): readonly NeededVariable[] {
  return cards.flatMap((card) => {
    if (card.type !== 'agent') return [];
    const uses = variablesOfCard(folder, card).filter((use) => use.fallback === undefined);
    return [...new Set(uses.map((use) => use.name))].map((name) => {
      const { file, name: agent } = card;
      const message = `The card of '${agent}' asks for the variable ${name}, which projects are not given here, so that it stays as it is written. ${howToList(name)}`;
      return {
        name,
        issue: makeIssue('variable-not-listed', { file, agent, ...placeOf(folder, file, name) }, message),
      };
    });
  });
}

function neededByServers(folder: Folder, parsed: ParsedFolder): readonly NeededVariable[] {
  return askedVariables(parsed).flatMap(({ name, uses }) => {
    const needed = new Map(uses.flatMap((use) => (use.hasDefault ? [] : [[`${use.file}\n${use.server}`, use]])));
    return [...needed.values()].map(({ server, file, agent }) => {
      const message = `Server '${server}' asks for the variable ${name}, which projects are not given here. ${howToList(name)}`;
      return {
        name,
        issue: makeIssue('variable-not-listed', { file, agent, ...placeOf(folder, file, name) }, message),
      };
    });
  });
}

/** The issues of those that are not listed. */
export function unlistedVariables(needed: readonly NeededVariable[], listed: Iterable<string>): readonly Issue[] {
  const names = new Set(listed);
  return needed.flatMap(({ name, issue }) => (names.has(name) ? [] : [issue]));
}

function placeOf(folder: Folder, file: string, name: string) {
  const entry = folder.get(file);
  const text = entry?.kind === 'text' ? entry.text : '';
  return new LineIndex(text).positionOf(text.indexOf(`\${${name}`));
}
