import type { JsonObject } from '@/lib/base/json';
import type { ElicitationMode, ProtocolMode, ServerConfig, ServerRoot } from '@/lib/cards/config';
import { parseTarget } from '@/lib/cards/target';
import { isMapping } from '@/lib/cards/yaml/pyyaml';
import { lackingArgument } from './bare-command';
import { describeValue, toJson } from './describe-value';
import {
  isGiven,
  listed,
  type Mapping,
  readFlag,
  readInteger,
  readMapping,
  readNumber,
  readText,
  readTextMap,
  readTexts,
  readWord,
} from './fields';

type Launch = Pick<ServerConfig, 'transport' | 'command' | 'args' | 'url'>;

/** Reads an entry of `mcp.servers` and expands the shorthand `target`. Returns `undefined` when the server cannot start. */
export function readServer(
  from: Mapping,
  name: string,
  elicitation: ElicitationMode | undefined,
  protocol: ProtocolMode = 'auto',
): ServerConfig | undefined {
  const launch = isGiven(from, 'target') ? readShorthand(from, name) : readLaunch(from, name);
  const raw: JsonObject = Object.fromEntries(Object.entries(from.value).map(([key, value]) => [key, toJson(value)]));
  const mode = readElicitation(from) ?? elicitation;
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
    pingIntervalSeconds: readInterval(from, 'ping_interval_seconds'),
    maxMissedPings: readCount(from, 'max_missed_pings', 3),
    elicitation: mode ?? 'forms',
    asksPeople: mode === 'forms',
    protocolMode: readProtocolMode(from) ?? protocol,
    samplingModel: readSampling(from),
    roots: readRoots(from),
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
  if (transport !== 'stdio') return { transport, command: undefined, args: [], url };
  const lacking = command === undefined ? undefined : lackingArgument(command, args);
  if (lacking !== undefined) {
    const text = `Server '${name}' runs '${command}' without naming ${lacking}, so no server starts. Add it to 'args'.`;
    from.report.report('server-without-arguments', [...from.path, 'command'], text);
  }
  return { transport, command, args, url: undefined };
}

function readTransport(from: Mapping): ServerConfig['transport'] | undefined {
  const text = readText(from, 'transport');
  if (text === undefined) return undefined;
  if (text === 'stdio' || text === 'http' || text === 'sse') return text;
  const known = listed(['stdio', 'http', 'sse']);
  from.report.report('config-invalid', [...from.path, 'transport'], `There is no transport '${text}'. Use ${known}.`);
  return undefined;
}

/** Reads `elicitation: {mode: …}` of a server or of the whole config. */
export function readElicitation(from: Mapping): ElicitationMode | undefined {
  const elicitation = readMapping(from, 'elicitation');
  return elicitation && readWord(elicitation, 'mode', ['forms', 'auto-cancel', 'none'], 'config-invalid');
}

/** Reads `protocol_mode` of a server, or of `mcp.defaults`. */
export function readProtocolMode(from: Mapping): ProtocolMode | undefined {
  return readWord(from, 'protocol_mode', ['auto', 'modern', 'legacy'], 'config-invalid');
}

function readSampling(from: Mapping): string | undefined {
  const sampling = readMapping(from, 'sampling');
  return sampling && readText(sampling, 'model');
}

function readRoots(from: Mapping): ServerRoot[] {
  const value = from.value.roots ?? undefined;
  if (value === undefined) return [];
  const refuse = (path: readonly (string | number)[], text: string) =>
    from.report.report('config-invalid', [...from.path, 'roots', ...path], text);
  if (!Array.isArray(value)) {
    refuse([], `'roots' must be a list, not ${describeValue(value)}. Write - uri: file://… lines below it.`);
    return [];
  }
  return value.flatMap((entry: unknown, index) => {
    const uri = isMapping(entry) ? (entry.server_uri_alias ?? entry.uri) : undefined;
    if (!isMapping(entry) || typeof uri !== 'string' || !uri.startsWith('file://')) {
      refuse([index], "A root needs a 'uri' that starts with file://.");
      return [];
    }
    return [{ uri, name: typeof entry.name === 'string' ? entry.name : undefined }];
  });
}

/** Reads seconds. 0 or less means never. */
function readInterval(from: Mapping, key: string): number | undefined {
  const value = readNumber(from, key);
  return value === undefined ? undefined : Math.max(0, value);
}

function readCount(from: Mapping, key: string, fallback: number): number {
  const value = readInteger(from, key) ?? fallback;
  if (value >= 1) return value;
  from.report.report('config-invalid', [...from.path, key], `'${key}' must be 1 or more, not ${value}.`);
  return fallback;
}

function readPositive(from: Mapping, key: string): number | undefined {
  const value = readNumber(from, key);
  if (value === undefined || value > 0) return value;
  from.report.report('config-invalid', [...from.path, key], `'${key}' must be greater than 0, not ${value}.`);
  return undefined;
}
