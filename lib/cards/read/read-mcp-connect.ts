import type { McpConnectEntry } from '@/lib/cards/card';
import { parseTarget, targetName } from '@/lib/cards/target';
import { isMapping } from '@/lib/cards/yaml/pyyaml';
import type { Path } from '@/lib/cards/yaml/yaml-source';
import type { CardContext } from './card-context';
import { describeValue } from './describe-value';

/** Reads `mcp_connect`: servers that a card defines itself, as a mapping or a list. */

const strings = ['target', 'name', 'description', 'connector_id', 'access_token'];
const words: Readonly<Record<string, readonly string[]>> = {
  management: ['client', 'provider'],
  protocol_mode: ['auto', 'modern', 'legacy'],
};
const keys = [...strings, 'management', 'protocol_mode', 'headers', 'defer_loading', 'auth'];

export function readMcpConnect(card: CardContext): McpConnectEntry[] {
  const connect = card.value.mcp_connect ?? undefined;
  if (connect === undefined) return [];
  if (Array.isArray(connect)) {
    return connect.flatMap((entry: unknown, index) => readEntry(card, entry, ['mcp_connect', index], undefined));
  }
  if (isMapping(connect)) {
    return Object.entries(connect).flatMap(([key, entry]) => readEntry(card, entry, ['mcp_connect', key], key));
  }
  const text = `'mcp_connect' must be a mapping of names to entries, not ${describeValue(connect)}.`;
  card.report.report('mcp-connect', ['mcp_connect'], text);
  return [];
}

function readEntry(card: CardContext, entry: unknown, path: Path, key: string | undefined): McpConnectEntry[] {
  const before = card.report.issues.length;
  const refuse = (field: string | undefined, text: string) =>
    card.report.report('mcp-connect', field === undefined ? path : [...path, field], `mcp_connect: ${text}`);
  if (!isMapping(entry)) {
    refuse(undefined, `an entry must be a mapping, not ${describeValue(entry)}. Write target: … below the name.`);
    return [];
  }
  checkKeys(entry, refuse);
  if (key !== undefined && entry.name !== undefined && entry.name !== null && entry.name !== key) {
    refuse('name', `the name ${describeValue(entry.name)} must equal its key '${key}'. Remove it.`);
  }
  const hasTarget = typeof entry.target === 'string';
  const hasConnector = typeof entry.connector_id === 'string';
  if (hasTarget === hasConnector) refuse(undefined, "an entry needs either 'target' or 'connector_id'. Keep one.");
  if (hasConnector && entry.management !== 'provider')
    refuse('connector_id', "'connector_id' needs 'management: provider'.");
  if (hasConnector && !entry.access_token) refuse('connector_id', "'connector_id' needs an 'access_token'.");
  const name = entryName(card, entry, path, key, refuse);
  const hasErrors = card.report.issues.slice(before).some((issue) => issue.code === 'mcp-connect');
  if (name === undefined || hasErrors) return [];
  return [
    {
      name,
      target: textOf(entry.target),
      connectorId: textOf(entry.connector_id),
      description: textOf(entry.description),
      headers: headersOf(entry.headers),
      accessToken: textOf(entry.access_token),
    },
  ];
}

function checkKeys(entry: Record<string, unknown>, refuse: (field: string, text: string) => void): void {
  for (const [key, value] of Object.entries(entry)) {
    if (!keys.includes(key)) refuse(key, `there is no key '${key}' here. Put commands and URLs in 'target'.`);
    else if (value === null) continue;
    else if (strings.includes(key) && (typeof value !== 'string' || value.trim() === '')) {
      refuse(key, `'${key}' must be a non-empty string, not ${describeValue(value)}.`);
    } else if (words[key] && !words[key].includes(String(value)))
      refuse(key, `'${key}' must be ${words[key].join(' or ')}.`);
    else if (
      key === 'headers' &&
      !(isMapping(value) && Object.values(value).every((text) => typeof text === 'string'))
    ) {
      refuse(key, "'headers' must map names to strings.");
    } else if (key === 'defer_loading' && typeof value !== 'boolean')
      refuse(key, "'defer_loading' must be true or false.");
  }
}

function entryName(
  card: CardContext,
  entry: Record<string, unknown>,
  path: Path,
  key: string | undefined,
  refuse: (field: string | undefined, text: string) => void,
): string | undefined {
  const given = key ?? textOf(entry.name);
  if (typeof entry.target !== 'string') {
    if (given === undefined) refuse(undefined, "a connector needs a 'name'.");
    return given;
  }
  const target = parseTarget(entry.target);
  if (!target.ok) {
    refuse('target', target.error);
    return given;
  }
  const flag = /(?:^|\s)--(?:auth|name|headers)\b/.exec(entry.target);
  if (flag !== null) {
    const text = `The target holds the flag '${flag[0].trim()}' of fast-agent. Use the keys of the entry instead.`;
    card.report.report('mcp-connect-flags', [...path, 'target'], text);
  }
  return given ?? targetName(target.value);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function headersOf(value: unknown): Record<string, string> {
  if (!isMapping(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([name, text]) => [name, String(text)]));
}
