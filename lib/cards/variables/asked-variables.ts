import type { Issue } from '@/lib/base/issue';
import { howToGive, howToList } from '@/lib/base/project-env';
import { variablesIn } from '@/lib/base/variables';
import type { Card } from '@/lib/cards/card';
import type { ServerConfig } from '@/lib/cards/config';
import type { Folder } from '@/lib/cards/folder';
import { LineIndex } from '@/lib/cards/line-index';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { makeIssue } from '@/lib/cards/read/file-report';
import { variablesOfCard } from './card-variables';
import { remoteVariables } from './remote-variables';

/** An environment variable that a folder uses as `${NAME}`. */
export interface AskedVariable {
  readonly name: string;
  /** The uses, in the order of the files. */
  readonly uses: readonly AskedUse[];
}

export interface AskedUse {
  /** The server that uses the variable. */
  readonly server: string;
  /** The config, or the card that defines the server in `mcp_connect`. */
  readonly file: string;
  readonly agent: string | undefined;
  /** True for `${NAME:default}`. */
  readonly hasDefault: boolean;
}

/**
 * Returns the variables that the servers of a folder use, sorted by name, in the config and in `mcp_connect` of cards. With
 * the config of `withSecrets`, also those in the secrets file. For other fields of cards see `variablesOfCard`.
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

/** A variable that a server needs, and the warning for an installation that does not provide it. */
export interface NeededVariable {
  readonly name: string;
  readonly issue: Issue;
  /** True if a secret may provide it. Texts of cards go to models, and get none. */
  readonly takesSecret: boolean;
}

/**
 * Returns the variables without a default that servers and cards need. A server does not start when the operator has not
 * listed its variable in CALLBOARD_PROJECT_ENV (docs/mcp.md, Secrets); the issue says so. The folder itself is not faulty.
 */
export function neededVariables(folder: Folder, parsed: ParsedFolder): readonly NeededVariable[] {
  return [
    ...neededByServers(folder, parsed),
    ...neededByCards(folder, parsed),
    ...neededByRemoteAgents(folder, parsed),
  ];
}

/** Returns the variables that cards need. A card keeps an unset variable as text, so a run can still start. */
function neededByCards(folder: Folder, { cards }: ParsedFolder): readonly NeededVariable[] {
  return cards.flatMap((card) => {
    const needed = knownNeeds.get(card) ?? neededByCard(folder, card);
    knownNeeds.set(card, needed);
    return needed;
  });
}

/** Unchanged cards are not searched again. A card is made from the text of its file, so its needs and their places stay. */
const knownNeeds = new WeakMap<Card, readonly NeededVariable[]>();

function neededByCard(folder: Folder, card: Card): readonly NeededVariable[] {
  const uses = variablesOfCard(folder, card).filter((use) => use.fallback === undefined);
  return [...new Set(uses.map((use) => use.name))].map((name) => {
    const { file, name: agent } = card;
    const message = `The card of '${agent}' asks for the variable ${name}, which this installation does not give to projects, so that it stays as it is written. ${howToList(name)}`;
    return {
      name,
      issue: makeIssue('variable-not-listed', { file, agent, ...placeOf(folder, file, name) }, message),
      takesSecret: false,
    };
  });
}

function neededByServers(folder: Folder, parsed: ParsedFolder): readonly NeededVariable[] {
  return askedVariables(parsed).flatMap(({ name, uses }) => {
    const needed = new Map(uses.flatMap((use) => (use.hasDefault ? [] : [[`${use.file}\n${use.server}`, use]])));
    return [...needed.values()].map(({ server, file, agent }) => {
      const message = `Server '${server}' asks for the variable ${name}, which this installation does not give to projects. ${howToGive(name)}`;
      return {
        name,
        issue: makeIssue('variable-not-listed', { file, agent, ...placeOf(folder, file, name) }, message),
        takesSecret: true,
      };
    });
  });
}

/**
 * Returns the variables that remote agents need. A remote agent is not called when a variable in its address or headers has
 * no value.
 */
function neededByRemoteAgents(folder: Folder, { cards }: ParsedFolder): readonly NeededVariable[] {
  return cards.flatMap((card) => {
    if (card.type !== 'a2a') return [];
    const { file, name: agent } = card;
    const names = new Set(remoteVariables(card).flatMap(({ name, hasDefault }) => (hasDefault ? [] : [name])));
    return [...names].map((name) => {
      const message = `Remote agent '${agent}' asks for the variable ${name}, which this installation does not give to projects. ${howToGive(name)}`;
      return {
        name,
        issue: makeIssue('variable-not-listed', { file, agent, ...placeOf(folder, file, name) }, message),
        takesSecret: true,
      };
    });
  });
}

/** Returns the issues of variables that are neither listed nor, where one may provide them, a secret. */
export function unlistedVariables(
  needed: readonly NeededVariable[],
  listed: Iterable<string>,
  secrets: Iterable<string> = [],
): readonly Issue[] {
  const [names, kept] = [new Set(listed), new Set(secrets)];
  return needed.flatMap(({ name, issue, takesSecret }) =>
    names.has(name) || (takesSecret && kept.has(name)) ? [] : [issue],
  );
}

function placeOf(folder: Folder, file: string, name: string) {
  const entry = folder.get(file);
  const text = entry?.kind === 'text' ? entry.text : '';
  return new LineIndex(text).positionOf(text.indexOf(`\${${name}`));
}
