import type { Card, McpConnectEntry } from '@/lib/cards/card';
import type { FastAgentConfig, ServerConfig } from '@/lib/cards/config';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import type { LineFinder } from '@/lib/cards/read/line-finder';
import { parseTarget } from '@/lib/cards/target';

/** An MCP server that at least one card uses, and its declaration. */
export interface UsedServer {
  readonly server: Pick<
    ServerConfig,
    'name' | 'transport' | 'command' | 'args' | 'env' | 'cwd' | 'url' | 'headers' | 'accessToken' | 'roots'
  >;
  /** The target in `mcp_connect` of a card. `undefined` for a server of the config. */
  readonly target: string | undefined;
  /** Users such as `agent 'writer'`, sorted. */
  readonly usedBy: readonly string[];
  readonly file: string;
  readonly line: number;
}

/** Finds the servers. `config` must include the secrets file, which may declare servers too. */
export function foundServers(parsed: ParsedFolder, config: FastAgentConfig, lines: LineFinder): UsedServer[] {
  const usedBy = new Map<string, Set<string>>();
  const brought: UsedServer[] = [];
  for (const card of parsed.cards) {
    const user = `agent '${card.name}'`;
    for (const name of serversOf(card)) {
      const users = usedBy.get(name);
      if (users === undefined) usedBy.set(name, new Set([user]));
      else users.add(user);
    }
    if (card.type !== 'agent') continue;
    for (const [index, entry] of card.mcpConnect.entries()) {
      const server = broughtServer(entry);
      if (server === undefined) continue;
      const line =
        lines.ofKey(card.file, ['mcp_connect', entry.name]) ?? lines.ofKey(card.file, ['mcp_connect', index]) ?? 1;
      brought.push({ server, target: entry.target, usedBy: [user], file: card.file, line });
    }
  }
  const declared = [...usedBy].flatMap(([name, users]): UsedServer[] => {
    const server = Object.hasOwn(config.servers, name) ? config.servers[name] : undefined;
    if (server === undefined) return [];
    const place = placeOf(parsed, config, lines, name);
    return [{ server, target: undefined, usedBy: [...users].sort(), ...place }];
  });
  return [...declared, ...brought];
}

function serversOf(card: Card): readonly string[] {
  return 'servers' in card ? card.servers : [];
}

/** Returns `undefined` for an entry without a target, which starts nothing. */
function broughtServer(entry: McpConnectEntry): UsedServer['server'] | undefined {
  const target = entry.target === undefined ? undefined : parseTarget(entry.target);
  if (target === undefined || !target.ok) return undefined;
  const { value } = target;
  const common = { name: entry.name, env: {}, cwd: undefined, roots: [] };
  const { headers, accessToken } = entry;
  return value.transport === 'stdio'
    ? { ...common, ...value, url: undefined, headers: {}, accessToken: undefined }
    : { ...common, ...value, command: undefined, args: [], headers, accessToken };
}

function placeOf(
  { roles }: ParsedFolder,
  config: FastAgentConfig,
  lines: LineFinder,
  name: string,
): { readonly file: string; readonly line: number } {
  const secrets = [...roles].flatMap(([path, role]) => (role === 'secrets' ? [path] : []));
  for (const file of [...(config.file === undefined ? [] : [config.file]), ...secrets.sort()]) {
    const line = lines.ofKey(file, ['mcp', 'servers', name]);
    if (line !== undefined) return { file, line };
  }
  return { file: config.file ?? secrets[0] ?? '', line: 1 };
}
