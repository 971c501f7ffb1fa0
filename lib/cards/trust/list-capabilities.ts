import { shownUrl } from '@/lib/base/called-address';
import { sha256 } from '@/lib/base/sha256';
import { lineStarts } from '@/lib/base/text-lines';
import type { AgentCard, Card, CodeRef } from '@/lib/cards/card';
import type { ServerConfig } from '@/lib/cards/config';
import { encodeFile } from '@/lib/cards/files';
import type { Folder } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { type LineFinder, lineFinder } from '@/lib/cards/read/line-finder';
import { withSecrets } from '@/lib/cards/read/secrets';
import { urlsOf } from '@/lib/cards/url-placeholder';
import { type AskedVariable, askedVariables } from '@/lib/cards/variables/asked-variables';
import { variablesOfCard } from '@/lib/cards/variables/card-variables';
import { type Capability, type CapabilityList, capabilityKinds } from './capability';
import { listCommands } from './list-commands';
import { listModels } from './list-models';
import { providerItems } from './list-providers';
import { remoteAgentItems } from './list-remote-agents';
import { bundleOf, isPythonFile, loadedFiles } from './loaded-files';
import { pythonUses } from './python-uses';
import { foundServers, type UsedServer } from './used-servers';

/** Computes SHA-256 of bytes as lower-case hex. The server passes that of Node, which is faster for large files. */
export type HashBytes = (bytes: Uint8Array) => string;

/**
 * Lists everything that runs of a folder could start or call, for all cards together. The result does not depend on the order of the
 * files.
 *
 *     servers that a card uses ──▶ commands, hosts, variables ──▶ files that the commands may run
 *     tools and hooks in .py   ──▶ Python files
 *     shell: true, {{url:…}}   ──▶ shells, hosts
 *     base_url of providers    ──▶ hosts, variables
 *     remote agents (a2a)      ──▶ hosts, variables
 */
export function listCapabilities(folder: Folder, parsed: ParsedFolder, hash: HashBytes = sha256): CapabilityList {
  const lines = lineFinder(folder);
  const { config } = withSecrets(parsed, folder);
  const servers = foundServers(parsed, config, lines);
  const content = (...parts: readonly unknown[]) => hash(new TextEncoder().encode(JSON.stringify(parts)));
  const agents = parsed.cards.filter((card) => card.type === 'agent');
  const found = [
    ...servers.map((server) => serverItem(server, content)),
    ...fileItems(folder, parsed, servers, hash),
    ...agents.flatMap((card) => (card.shell ? [shellItem(card, lines, content)] : [])),
    ...parsed.cards.flatMap((card) => includeItems(card, lines, content)),
    ...parsed.cards.flatMap((card) => (card.type === 'a2a' ? remoteAgentItems(card, lines, content, shownUrl) : [])),
    ...variableItems(askedVariables({ ...parsed, config }), servers, content),
    ...providerItems(parsed, config, lines, content),
    ...parsed.cards.flatMap((card) => cardVariableItems(folder, card, content)),
  ];
  const items = distinct(found).sort(byOrder);
  return {
    items,
    hash: content('callboard capabilities 1', items.map((item) => item.hash).sort()),
    models: listModels(parsed, config, lines),
    commands: listCommands({ folder, parsed, servers, lines, hash }),
  };
}

type Content = (...parts: readonly unknown[]) => string;

function serverItem({ server, usedBy, file, line, target }: UsedServer, content: Content): Capability {
  const { name } = server;
  const place = { name, file, line };
  const users = `Server '${name}', used by ${listed(usedBy)}.`;
  const notes = server.roots.length > 0 ? [`It is told of ${server.roots.map(({ uri }) => uri).join(', ')}.`] : [];
  if (server.transport !== 'stdio') {
    const headers = Object.keys(server.headers).sort();
    if (server.accessToken !== undefined) headers.push('Authorization');
    if (headers.length > 0) notes.push(`Sends the headers ${headers.join(', ')}.`);
    return {
      ...place,
      kind: 'host',
      detail: shownUrl(server.url ?? ''),
      notes: [users, ...notes],
      hash: content(
        'host',
        name,
        server.transport,
        server.url,
        entries(server.headers),
        server.accessToken,
        server.roots,
      ),
    };
  }
  if (server.cwd !== undefined) notes.push(`It starts in the folder ${server.cwd}.`);
  const names = Object.keys(server.env).sort();
  if (names.length > 0) notes.push(`Its environment sets ${names.join(', ')}.`);
  return {
    ...place,
    kind: 'command',
    detail: target ?? [server.command ?? '', ...server.args].map(quoted).join(' '),
    notes: [users, ...notes],
    hash: content('command', name, target, server.command, server.args, server.cwd, entries(server.env), server.roots),
  };
}

function fileItems(
  folder: Folder,
  parsed: ParsedFolder,
  servers: readonly UsedServer[],
  hash: HashBytes,
): Capability[] {
  const code = pythonUses(parsed)
    .map(({ ref }) => ref)
    .filter((ref) => folder.has(ref.file));
  const functionsOf = groupFunctions(code);
  const python = new Set(code.length > 0 ? [...folder.keys()].filter(isPythonFile) : []);
  const launches = servers.flatMap(({ server }) =>
    server.transport === 'stdio'
      ? [{ words: [server.command ?? '', ...server.args], values: Object.values(server.env), cwd: server.cwd }]
      : [],
  );
  const { all, named } = loadedFiles(folder, parsed, launches);
  const paths = [...new Set([...python, ...all])].sort();
  const bundles = new Map<string, string[]>();
  const items: Capability[] = [];
  for (const path of paths) {
    const bundle = named.has(path) ? undefined : bundleOf(path);
    if (bundle !== undefined) {
      const members = bundles.get(bundle);
      if (members) members.push(path);
      else bundles.set(bundle, [path]);
      continue;
    }
    const isPython = python.has(path);
    const functions = functionsOf.get(path);
    const detail =
      functions !== undefined
        ? `runs as a tool or hook: ${[...functions].sort().join(', ')}`
        : named.has(path)
          ? 'named by a command'
          : isPython
            ? 'may be imported'
            : 'may be loaded by a command';
    items.push(fileItem(isPython ? 'python' : 'file', path, path, detail, hashOf(path)));
  }
  for (const [bundle, members] of bundles) {
    const kind = members.some((path) => python.has(path)) ? 'python' : 'file';
    const contents = members.map((path) => [path, hashOf(path)]);
    const joined = hash(new TextEncoder().encode(JSON.stringify(contents)));
    const count = `${members.length} ${members.length === 1 ? 'file' : 'files'} that may be loaded`;
    items.push(fileItem(kind, bundle, members[0] ?? bundle, count, joined));
  }
  return items;

  function fileItem(kind: 'file' | 'python', name: string, file: string, detail: string, bytes: string): Capability {
    const itemHash = hash(new TextEncoder().encode(JSON.stringify([kind, name, bytes])));
    return { kind, name, detail, notes: [], file, line: 1, hash: itemHash };
  }

  function hashOf(path: string): string {
    const file = folder.get(path);
    return file === undefined ? '' : hash(encodeFile(file));
  }
}

function groupFunctions(code: readonly CodeRef[]): ReadonlyMap<string, ReadonlySet<string>> {
  const byFile = new Map<string, Set<string>>();
  for (const { file, functionName } of code) {
    const functions = byFile.get(file);
    if (functions === undefined) byFile.set(file, new Set([functionName]));
    else functions.add(functionName);
  }
  return byFile;
}

function shellItem(card: AgentCard, lines: LineFinder, content: Content): Capability {
  return {
    kind: 'shell',
    name: card.name,
    detail: 'any command its model asks for',
    notes: card.cwd === undefined ? [] : [`It works in the folder ${card.cwd}.`],
    file: card.file,
    line: lines.ofKey(card.file, ['shell']) ?? 1,
    hash: content('shell', card.name, card.cwd),
  };
}

/** Returns the items of `{{url:…}}`. Addresses inside the fetched texts are unknown here. */
function includeItems(card: Card, lines: LineFinder, content: Content): Capability[] {
  return [...new Set(urlsOf(card.instruction ?? ''))].map((url) => ({
    kind: 'host',
    name: shownUrl(url),
    detail: shownUrl(url),
    notes: [`Read into the instruction of agent '${card.name}', with the addresses that the text names itself.`],
    file: card.file,
    line: lines.ofUrl(card.file, url),
    hash: content('include', url),
  }));
}

/** Returns the variables of servers that are started or called. The operator decides which of them have a value. */
function variableItems(
  asked: readonly AskedVariable[],
  servers: readonly UsedServer[],
  content: Content,
): Capability[] {
  const used = new Map(servers.map((one) => [one.server.name, one]));
  return asked.flatMap(({ name, uses }) => {
    const names = [...new Set(uses.map(({ server }) => server))].filter((server) => used.has(server)).sort();
    const first = used.get(names[0] ?? '');
    if (first === undefined) return [];
    const askedBy = listed(names.map((server) => `'${server}'`));
    return [
      {
        kind: 'variable',
        name,
        detail: `\${${name}}`,
        notes: [`Asked for by ${names.length === 1 ? 'server' : 'the servers'} ${askedBy}.`],
        file: first.file,
        line: first.line,
        hash: content('variable', name),
      },
    ];
  });
}

function cardVariableItems(folder: Folder, card: Card, content: Content): Capability[] {
  return variablesOfCard(folder, card).map(({ name }) => {
    const file = folder.get(card.file);
    const text = file?.kind === 'text' ? file.text : '';
    return {
      kind: 'variable',
      name,
      detail: `\${${name}}`,
      notes: [`Asked for by the card of '${card.name}'.`],
      file: card.file,
      line: lineStarts(text.slice(0, Math.max(0, text.indexOf(`\${${name}`)))).length,
      hash: content('variable', name),
    };
  });
}

function entries(values: ServerConfig['env']): readonly (readonly [string, string])[] {
  return Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Quotes an argument as for a shell, so that an argument with a space is recognisable. */
function quoted(word: string): string {
  return word !== '' && !/[\s"']/.test(word) ? word : JSON.stringify(word);
}

/** A list names at most this many. The others are counted. */
const namedAtMost = 5;

function listed(words: readonly string[]): string {
  const others = words.length - namedAtMost;
  if (others > 1) return `${words.slice(0, namedAtMost).join(', ')} and ${others} others`;
  const before = words.slice(0, -1).join(', ');
  return before === '' ? (words[0] ?? '') : `${before} and ${words.at(-1)}`;
}

/** Removes duplicates and keeps the first position. */
function distinct(items: readonly Capability[]): Capability[] {
  const byHash = new Map<string, Capability>();
  for (const item of items) if (!byHash.has(item.hash)) byHash.set(item.hash, item);
  return [...byHash.values()];
}

function byOrder(a: Capability, b: Capability): number {
  const rank = (item: Capability) => capabilityKinds.indexOf(item.kind);
  return rank(a) - rank(b) || order(a.name, b.name) || order(a.detail, b.detail) || order(a.hash, b.hash);
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
