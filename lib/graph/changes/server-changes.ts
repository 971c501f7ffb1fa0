import { shownUrl } from '@/lib/base/called-address';
import { canonicalJson } from '@/lib/base/canonical-json';
import { own } from '@/lib/base/own';
import type { ServerConfig } from '@/lib/cards/config';
import { consentBy } from '@/lib/cards/mcp-settings';
import { parseTarget } from '@/lib/cards/target';
import { type Found, limitChange, listChange, otherChange, rankedChange, switchChange } from './capability-change';
import { both, type Side, type Sides } from './project-side';

/** An MCP server of the config, or one that a card connects. */
export interface KnownServer {
  readonly name: string;
  /** The agent whose card connects it, if another server has the same name. */
  readonly by: string | undefined;
  /** Such as `the server 'files'`. */
  readonly words: string;
  /** The same as the beginning of a sentence. */
  readonly title: string;
  readonly transport: ServerConfig['transport'];
  /** The command line; `undefined` for an address. */
  readonly command: string | undefined;
  readonly url: string | undefined;
  readonly env: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly accessToken: string | undefined;
  readonly auth: string | undefined;
  readonly cwd: string | undefined;
  readonly roots: readonly string[];
  /** The entry in the config; `undefined` for a server that a card connects. */
  readonly config: ServerConfig | undefined;
}

/** What servers are started or called, with what they get. */
export function serverChanges({ before, after }: Sides): Found[] {
  const [old, now] = [serversIn(before), serversIn(after)];
  return both(old.keys(), now.keys()).flatMap((name) => {
    const [was, is] = [old.get(name), now.get(name)];
    if (was === undefined || is === undefined)
      return [...existence(was, is), ...consentChanges(before, after, was, is)];
    return [...launchChanges(was, is), ...givenChanges(was, is), ...consentChanges(before, after, was, is)];
  });
}

export function serversIn({ parsed }: Side): ReadonlyMap<string, KnownServer> {
  const servers = new Map(Object.values(parsed.config.servers).map((server) => [server.name, ofConfig(server)]));
  for (const card of parsed.cards) {
    if (card.type !== 'agent') continue;
    for (const { name, target, headers, accessToken } of card.mcpConnect) {
      const launch = target === undefined ? undefined : parseTarget(target);
      if (!launch?.ok) continue;
      const { value } = launch;
      const isCommand = value.transport === 'stdio';
      const connected = {
        ...{ name, by: undefined, ...wordsFor(name) },
        ...{ transport: value.transport, headers, accessToken, env: {}, roots: [] },
        ...{ auth: undefined, cwd: undefined, config: undefined },
        command: isCommand ? lineOf(value.command, value.args) : undefined,
        url: isCommand ? undefined : value.url,
      };
      const known = servers.get(name);
      if (known === undefined) servers.set(name, connected);
      else if (!isSameServer(known, connected)) {
        const own = wordsFor(name, ` of agent '${card.name}'`);
        servers.set(own.words, { ...connected, ...own, by: card.name });
      }
    }
  }
  return servers;
}

function wordsFor(name: string, whose = ''): Pick<KnownServer, 'words' | 'title'> {
  return { words: `the server '${name}'${whose}`, title: `The server '${name}'${whose}` };
}

/** True if two cards, or a card and the config, mean the same server by one name. */
function isSameServer(one: KnownServer, other: KnownServer): boolean {
  const parts = ({ command, url, headers, accessToken }: KnownServer) =>
    canonicalJson([command ?? null, url ?? null, headers, accessToken ?? null]);
  return parts(one) === parts(other);
}

function ofConfig(server: ServerConfig): KnownServer {
  const { name, transport, command, args, url, env, headers, accessToken, cwd, roots, raw } = server;
  return {
    ...{ name, by: undefined, ...wordsFor(name), transport, env, headers, accessToken, cwd, url },
    command: transport === 'stdio' ? lineOf(command ?? '', args) : undefined,
    roots: roots.map(({ uri }) => uri),
    auth: raw.auth === undefined || raw.auth === null ? undefined : canonicalJson(raw.auth),
    config: server,
  };
}

function existence(was: KnownServer | undefined, is: KnownServer | undefined): Found[] {
  const server = is ?? was;
  if (server === undefined) return [];
  const { name, by, title } = server;
  const about = { subject: { server: name }, at: { server: name, by } } as const;
  const names = Object.keys({ ...server.env, ...server.headers }).sort();
  const given = names.length === 0 ? '' : `, with ${names.join(', ')}`;
  const [kind, does, did]: [Found['kind'], string, string] =
    server.command !== undefined
      ? ['command', `starts the command '${server.command}'${given}`, `started the command '${server.command}'`]
      : ['server', `is called at ${shownUrl(server.url)}${given}`, `was called at ${shownUrl(server.url)}`];
  if (was === undefined) return [{ ...about, kind, weight: 'more', sentence: `${title} is new and ${does}.` }];
  return [{ ...about, kind, weight: 'less', sentence: `${title} is gone. It ${did}.` }];
}

function launchChanges(was: KnownServer, is: KnownServer): Found[] {
  const { name, by, title } = is;
  const subject = { server: name };
  const about = (path: string) => ({ subject, at: { server: name, by, path: [path] } });
  const how = ({ command, url }: KnownServer) =>
    command === undefined ? `is now called at ${shownUrl(url)}` : `now starts the command '${command}'`;
  const key = ({ command, url }: KnownServer) => command ?? url;
  const shown = (server: KnownServer) => server.command ?? shownUrl(server.url);
  if ((was.command === undefined) !== (is.command === undefined)) {
    // A server that becomes a command runs on the machine, and one at an address does not.
    const weight = is.command === undefined ? 'less' : 'more';
    const then =
      was.command === undefined ? `was called at ${shownUrl(was.url)}` : `started the command '${was.command}'`;
    return [
      {
        ...about('transport'),
        kind: 'command',
        weight,
        sentence: `${title} ${how(is)}. Before it ${then}.`,
      },
    ];
  }
  const isCommand = is.command !== undefined;
  const launch: Found[] =
    key(was) === key(is)
      ? []
      : [
          {
            ...about(isCommand ? 'command' : 'url'),
            kind: isCommand ? 'command' : 'server',
            weight: 'same-but-different',
            sentence: `${title} ${how(is)} instead of ${isCommand ? `'${shown(was)}'` : shown(was)}.`,
            before: shown(was),
            after: shown(is),
          },
        ];
  return [
    ...launch,
    ...(isCommand
      ? []
      : otherChange({ ...about('transport'), kind: 'server' }, was.transport, is.transport, (old, now) => {
          return `${title} now speaks ${now} instead of ${old}.`;
        })),
    ...otherChange({ ...about('cwd'), kind: 'command' }, was.cwd, is.cwd, (old, now) => {
      return `${title} now starts in the folder '${now ?? '.'}' instead of '${old ?? '.'}'.`;
    }),
  ];
}

/** Names of variables and headers, but never their values. */
function givenChanges(was: KnownServer, is: KnownServer): Found[] {
  const { name, by, words, title } = is;
  const given = [
    { field: 'env', word: 'the environment variable', kind: 'command' },
    { field: 'headers', word: 'the header', kind: 'server' },
  ] as const;
  const subject = { server: name };
  return [
    ...given.flatMap(({ field, word, kind }) => {
      const about = (key: string) => ({
        kind,
        subject: { ...subject, field: key },
        at: { server: name, by, path: [field, key] },
      });
      const [old, now] = [was[field], is[field]];
      return [
        ...listChange(about, Object.keys(old), Object.keys(now), (key, isNew) => {
          return `${title} ${isNew ? 'now gets' : 'no longer gets'} ${word} '${key}'.`;
        }),
        ...Object.keys(now).flatMap((key): Found[] => {
          const before = own(old, key);
          if (before === undefined || before === now[key]) return [];
          const sentence = `The value of ${word} '${key}' of ${words} is different.`;
          return [{ ...about(key), weight: 'same-but-different', sentence }];
        }),
      ];
    }),
    ...signInChanges(was, is),
    ...listChange(
      { kind: 'server', subject, at: { server: name, by, path: ['roots'] } },
      was.roots,
      is.roots,
      (root, isNew) => {
        return `${title} is ${isNew ? 'now' : 'no longer'} told of the folder ${root}.`;
      },
    ),
  ];
}

function signInChanges(was: KnownServer, is: KnownServer): Found[] {
  const { name, by, words, title } = is;
  const about = (field: string) => ({
    kind: 'server' as const,
    subject: { server: name, field },
    at: { server: name, by, path: [field] },
  });
  const differs = (field: string, old: string | undefined, now: string | undefined, what: string): Found[] =>
    old === undefined || now === undefined || old === now
      ? []
      : [
          {
            ...about(field),
            weight: 'same-but-different',
            sentence: `The ${what} of ${words} is different.`,
          },
        ];
  return [
    ...switchChange(about('access_token'), was.accessToken !== undefined, is.accessToken !== undefined, {
      on: `${title} now gets an access token.`,
      off: `${title} no longer gets an access token.`,
    }),
    ...differs('access_token', was.accessToken, is.accessToken, 'access token'),
    ...switchChange(about('auth'), was.auth !== undefined, is.auth !== undefined, {
      on: `The sign-in at ${words} is now set in its entry.`,
      off: `The sign-in at ${words} is no longer set in its entry.`,
    }),
    ...differs('auth', was.auth, is.auth, 'sign-in'),
  ];
}

/** A server that does not exist asks for nothing. */
const noConsent = { sampling: 'never', elicitation: false } as const;

/** What a server may ask for, and what else counts of its entry. */
function consentChanges(before: Side, after: Side, was: KnownServer | undefined, is: KnownServer | undefined): Found[] {
  const server = is ?? was;
  if (server === undefined) return [];
  const { name, by, words, title } = server;
  const consentOf = ({ parsed }: Side, one: KnownServer | undefined) =>
    one === undefined ? noConsent : consentBy(parsed.settings.mcp)(name, one.config);
  const [old, now] = [consentOf(before, was), consentOf(after, is)];
  const subject = { server: name };
  const at = { settings: ['mcp', 'servers', name] };
  const samplingWords = {
    never: `${title} may no longer use a model.`,
    ask: `${title} may now use a model if a person agrees.`,
    allow: `${title} may now use a model without asking.`,
  };
  const [wasIn, isIn] = [was?.config, is?.config];
  const own = { kind: 'server', subject, at: { server: name, by } } as const;
  return [
    ...rankedChange(
      { kind: 'server', subject, at },
      ['never', 'ask', 'allow'],
      old.sampling,
      now.sampling,
      samplingWords[now.sampling],
    ),
    ...switchChange({ kind: 'person', subject, at }, old.elicitation, now.elicitation, {
      on: `${title} may now ask people questions.`,
      off: `${title} may no longer ask people questions.`,
    }),
    ...(wasIn === undefined || isIn === undefined
      ? []
      : [
          ...limitChange(
            own,
            `The time limit of answers of ${words}`,
            wasIn.readTimeoutSeconds,
            isIn.readTimeoutSeconds,
            (s) => `${s} s`,
          ),
          ...otherChange({ ...own, kind: 'model' }, wasIn.samplingModel, isIn.samplingModel, (from, to) => {
            return `${title} now asks ${to === undefined ? 'the model of the agent' : `the model '${to}'`} instead of ${from === undefined ? 'that of the agent' : `'${from}'`}.`;
          }),
          ...switchChange({ ...own, kind: 'text' }, wasIn.includeInstructions, isIn.includeInstructions, {
            on: `What ${words} says of itself is now part of prompts.`,
            off: `What ${words} says of itself is no longer part of prompts.`,
          }),
          ...otherChange(own, wasIn.protocolMode, isIn.protocolMode, (from, to) => {
            return `${title} is now called with the protocol '${to}' instead of '${from}'.`;
          }),
        ]),
  ];
}

function lineOf(command: string, args: readonly string[]): string {
  return [command, ...args]
    .map((word) => (word !== '' && !/[\s"']/.test(word) ? word : JSON.stringify(word)))
    .join(' ');
}
