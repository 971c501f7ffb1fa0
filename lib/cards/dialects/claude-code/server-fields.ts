import { isJson, isRecord, type Json } from '@/lib/base/json';
import type { CardFields, DialectField } from '@/lib/cards/dialects/form/dialect';
import { sameValue } from '@/lib/cards/yaml/edit-value';

/** The field of `.mcp.json`. Source: code.claude.com/docs/en/mcp, *Environment variable expansion in .mcp.json*. */
export const serverFields: readonly DialectField[] = [
  {
    name: 'mcpServers',
    use: 'works',
    why: 'servers of the project',
    gives: ['mcp'],
    // ['mcp', 'servers', name, …] is ['mcpServers', name, …] in the file.
    inner: ([, ...rest]) => rest.map((step) => (step === 'transport' ? 'type' : step)),
    read: (value, card) => {
      card.mcp = { servers: isRecord(value) ? mapValues(value, serverOf) : value };
    },
    write: ({ mcp }, { mcpServers }) => {
      const servers = isRecord(mcp) ? mcp.servers : undefined;
      if (!isRecord(servers)) return undefined;
      const before = isRecord(mcpServers) ? mcpServers : {};
      const entries = Object.entries(servers).flatMap(([name, server]): [string, Json][] => {
        const old = Object.hasOwn(before, name) ? before[name] : undefined;
        const written = writtenServer(server, old);
        return isJson(written) ? [[name, written]] : [];
      });
      return Object.fromEntries(entries);
    },
  },
];

/** A transport that the address or the command says already need not be named. */
export function withoutUsualTransport(fields: Readonly<CardFields>): CardFields {
  const servers = isRecord(fields.mcp) && isRecord(fields.mcp.servers) ? fields.mcp.servers : undefined;
  if (servers === undefined) return fields;
  const normal = mapValues(servers, (server) => {
    if (!isRecord(server)) return server;
    const { transport, ...rest } = server;
    return transport === (typeof rest.url === 'string' ? 'http' : 'stdio') ? rest : server;
  });
  return { ...fields, mcp: { servers: normal } };
}

function serverOf(entry: unknown): unknown {
  if (!isRecord(entry)) return entry;
  const { type, ...rest } = entry;
  const transport = typeof type === 'string' ? (transports[type] ?? type) : undefined;
  return mapTexts({ ...(transport === undefined ? {} : { transport }), ...rest }, hereVariables);
}

const transports: Readonly<Record<string, string>> = { 'streamable-http': 'http' };

/** Writes a server. What did not change stays as it was written. */
function writtenServer(server: unknown, before: unknown): unknown {
  if (sameValue(server, serverOf(before))) return before;
  if (!isRecord(server)) return server;
  const { transport, ...rest } = server;
  const old = isRecord(before) ? before.type : undefined;
  const same = typeof old === 'string' && (transports[old] ?? old) === transport;
  const type = same ? old : (transport ?? (typeof rest.url === 'string' ? 'http' : undefined));
  return { ...(type === undefined ? {} : { type }), ...mapValues(rest, (one, key) => writtenValue(one, before, key)) };
}

function writtenValue(value: unknown, around: unknown, key: string | number): unknown {
  const has = (isRecord(around) || Array.isArray(around)) && Object.hasOwn(around, key);
  const before: unknown = has ? Reflect.get(around, key) : undefined;
  if (has && sameValue(value, mapTexts(before, hereVariables))) return before;
  if (typeof value === 'string') return theirVariables(value);
  if (Array.isArray(value)) return value.map((one: unknown, index) => writtenValue(one, before, index));
  return isRecord(value) ? mapValues(value, (one, inner) => writtenValue(one, before, inner)) : value;
}

/** `${NAME:-default}` of a shell is `${NAME:default}` here. */
function hereVariables(text: string): string {
  return text.replace(/(\$\{[A-Za-z_]\w*:)-/g, '$1');
}

function theirVariables(text: string): string {
  return text.replace(/(\$\{[A-Za-z_]\w*:)/g, '$1-');
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((one: unknown) => mapTexts(one, change));
  return isRecord(value) ? mapValues(value, (one) => mapTexts(one, change)) : value;
}

function mapValues(
  value: Readonly<Record<string, unknown>>,
  change: (one: unknown, key: string) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, change(one, key)]));
}
