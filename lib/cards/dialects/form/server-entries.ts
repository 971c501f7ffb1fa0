import { isJson, isRecord, type Json } from '@/lib/base/json';
import { sameValue } from '@/lib/cards/yaml/edit-value';
import type { CardFields, DialectField, Written } from './dialect';

/** How a program writes variables in the texts of a server, and what they are here. */
interface TextWords {
  here(text: string): string;
  theirs(text: string): string;
}

/** Returns the field of a JSON file that has the servers of the project by name. `words` gets the fields of the file. */
export function serversField(name: string, words: (written: Written) => TextWords): DialectField {
  return {
    name,
    use: 'works',
    why: 'servers of the project',
    gives: ['mcp'],
    // ['mcp', 'servers', name, …] is [field, name, …] in the file.
    inner: ([, ...rest]) => rest.map((step) => (step === 'transport' ? 'type' : step)),
    read: (value, card) => {
      const own = words({});
      card.mcp = { servers: isRecord(value) ? mapValues(value, (entry) => serverOf(entry, own)) : value };
    },
    write: ({ mcp }, written) => {
      const servers = isRecord(mcp) ? mcp.servers : undefined;
      if (!isRecord(servers)) return undefined;
      const own = words(written);
      const value = written[name];
      const before = isRecord(value) ? value : {};
      const entries = Object.entries(servers).flatMap(([key, server]): [string, Json][] => {
        const old = Object.hasOwn(before, key) ? before[key] : undefined;
        const next = writtenServer(server, old, own);
        return isJson(next) ? [[key, next]] : [];
      });
      return Object.fromEntries(entries);
    },
  };
}

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

function serverOf(entry: unknown, { here }: TextWords): unknown {
  if (!isRecord(entry)) return entry;
  const { type, ...rest } = entry;
  const transport = typeof type === 'string' ? (transports[type] ?? type) : undefined;
  return mapTexts({ ...(transport === undefined ? {} : { transport }), ...rest }, here);
}

const transports: Readonly<Record<string, string>> = { 'streamable-http': 'http' };

/** Writes a server. What did not change stays as it was written. */
function writtenServer(server: unknown, before: unknown, words: TextWords): unknown {
  if (sameValue(server, serverOf(before, words))) return before;
  if (!isRecord(server)) return server;
  const { transport, ...rest } = server;
  const old = isRecord(before) ? before.type : undefined;
  const same = typeof old === 'string' && (transports[old] ?? old) === transport;
  const type = same ? old : (transport ?? (typeof rest.url === 'string' ? 'http' : undefined));
  return {
    ...(type === undefined ? {} : { type }),
    ...mapValues(rest, (one, key) => writtenValue(one, before, key, words)),
  };
}

function writtenValue(value: unknown, around: unknown, key: string | number, words: TextWords): unknown {
  const has = (isRecord(around) || Array.isArray(around)) && Object.hasOwn(around, key);
  const before: unknown = has ? Reflect.get(around, key) : undefined;
  if (has && sameValue(value, mapTexts(before, words.here))) return before;
  if (typeof value === 'string') return words.theirs(value);
  if (Array.isArray(value)) return value.map((one: unknown, index) => writtenValue(one, before, index, words));
  return isRecord(value) ? mapValues(value, (one, inner) => writtenValue(one, before, inner, words)) : value;
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
