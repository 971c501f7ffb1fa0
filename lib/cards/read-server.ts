import type { JsonObject } from '@/lib/base/json';
import type { ServerConfig } from './config';
import { toJson } from './describe-value';
import { isGiven, listed, type Mapping, readFlag, readNumber, readText, readTextMap, readTexts } from './fields';
import { parseTarget } from './target';

type Launch = Pick<ServerConfig, 'transport' | 'command' | 'args' | 'url'>;

/** One entry of `mcp.servers` (fast-agent.md 4.2), its shorthand `target` spelled out. `undefined` when it cannot start. */
export function readServer(from: Mapping, name: string): ServerConfig | undefined {
  const launch = isGiven(from, 'target') ? readShorthand(from, name) : readLaunch(from, name);
  const raw: JsonObject = Object.fromEntries(Object.entries(from.value).map(([key, value]) => [key, toJson(value)]));
  const server = {
    name,
    env: readTextMap(from, 'env'),
    cwd: readText(from, 'cwd'),
    headers: readTextMap(from, 'headers'),
    accessToken: readText(from, 'access_token'),
    readTimeoutSeconds: readPositive(from, 'read_timeout_seconds'),
    includeInstructions: readFlag(from, 'include_instructions', true),
    loadOnStart: readFlag(from, 'load_on_start', true),
    reconnectOnDisconnect: readFlag(from, 'reconnect_on_disconnect', true),
    description: readText(from, 'description'),
    raw,
  };
  return launch && { ...server, ...launch };
}

function readShorthand(from: Mapping, name: string): Launch | undefined {
  for (const key of ['transport', 'url', 'command', 'args', 'connector_id']) {
    if (!isGiven(from, key)) continue;
    const text = `Server '${name}' has both 'target' and '${key}'. Keep one of them.`;
    from.report.reportKey('config-invalid', [...from.path, key], text);
  }
  const text = readText(from, 'target');
  if (text === undefined) return undefined;
  const target = parseTarget(text);
  if (!target.ok) {
    from.report.report('config-invalid', [...from.path, 'target'], `Server '${name}': ${target.error}`);
    return undefined;
  }
  const { value } = target;
  return value.transport === 'stdio'
    ? { transport: 'stdio', command: value.command, args: value.args, url: undefined }
    : { transport: value.transport, command: undefined, args: [], url: value.url };
}

function readLaunch(from: Mapping, name: string): Launch | undefined {
  const given = readTransport(from);
  const command = readText(from, 'command');
  const args = readTexts(from, 'args');
  const url = readText(from, 'url');
  if (url !== undefined && command !== undefined) {
    const text = `Server '${name}' has both 'url' and 'command'; the url is used. Remove one of them.`;
    from.report.reportKey('server-url-and-command', [...from.path, 'command'], text);
  }
  const transport = given ?? (url !== undefined ? 'http' : 'stdio');
  if (isGiven(from, 'connector_id')) return undefined;
  const missing = transport === 'stdio' ? command === undefined && 'command' : url === undefined && 'url';
  if (missing !== false) {
    const text = `Server '${name}' (${transport}) needs a '${missing}'. Add it.`;
    if (!isGiven(from, missing)) from.report.reportKey('config-invalid', from.path, text);
    return undefined;
  }
  return transport === 'stdio'
    ? { transport, command, args, url: undefined }
    : { transport, command: undefined, args: [], url };
}

function readTransport(from: Mapping): ServerConfig['transport'] | undefined {
  const text = readText(from, 'transport');
  if (text === undefined) return undefined;
  if (text === 'stdio' || text === 'http' || text === 'sse') return text;
  const known = listed(['stdio', 'http', 'sse']);
  from.report.report('config-invalid', [...from.path, 'transport'], `There is no transport '${text}'. Use ${known}.`);
  return undefined;
}

function readPositive(from: Mapping, key: string): number | undefined {
  const value = readNumber(from, key);
  if (value === undefined || value > 0) return value;
  from.report.report('config-invalid', [...from.path, key], `'${key}' must be greater than 0, not ${value}.`);
  return undefined;
}
