/**
 * Where the spans of runs are sent while they run, by the variables of the OpenTelemetry specification: "OpenTelemetry Protocol
 * Exporter" and "General SDK Configuration". A variable for traces goes before the general one.
 */

export interface ExportSettings {
  /** The address that spans are sent to. */
  readonly url: string;
  /** They may be secrets. */
  readonly headers: Readonly<Record<string, string>>;
  readonly protocol: 'http/json' | 'http/protobuf';
  readonly gzip: boolean;
  /** How long one request may take, in milliseconds. */
  readonly timeoutMs: number;
  readonly serviceName: string;
}

/** All variables that `readExportSettings` reads. Those of the headers, and addresses, may hold secrets. */
export const exportVariables = [
  'OTEL_SDK_DISABLED',
  'OTEL_TRACES_EXPORTER',
  'OTEL_SERVICE_NAME',
  ...['ENDPOINT', 'HEADERS', 'PROTOCOL', 'COMPRESSION', 'TIMEOUT'].flatMap((name) => [
    `OTEL_EXPORTER_OTLP_${name}`,
    `OTEL_EXPORTER_OTLP_TRACES_${name}`,
  ]),
] as const;

type Variables = Readonly<Record<string, string | undefined>>;

/** Returns the settings, `undefined` if nothing is to be sent, and what is wrong with them. No problem contains a value. */
export function readExportSettings(source: Variables): {
  readonly settings: ExportSettings | undefined;
  readonly problems: readonly string[];
} {
  const off =
    source.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true' || source.OTEL_TRACES_EXPORTER?.trim() === 'none';
  const own = source.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || undefined;
  const base = source.OTEL_EXPORTER_OTLP_ENDPOINT || undefined;
  const address = own ?? base;
  if (off || address === undefined) return { settings: undefined, problems: [] };
  const problems: string[] = [];
  const problem = (text: string) => {
    problems.push(text);
    return undefined;
  };
  const name = own === undefined ? 'OTEL_EXPORTER_OTLP_ENDPOINT' : 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT';
  const url = readAddress(name, address, own === undefined, problem);
  const protocol = readProtocol(settingOf(source, 'PROTOCOL'), problem);
  const headers = readHeaders(settingOf(source, 'HEADERS'), problem);
  const gzip = readCompression(settingOf(source, 'COMPRESSION'), problem);
  const timeoutMs = readTimeout(settingOf(source, 'TIMEOUT'), problem);
  const serviceName = source.OTEL_SERVICE_NAME || 'callboard';
  if (url === undefined || protocol === undefined || problems.length > 0) return { settings: undefined, problems };
  return { settings: { url, headers, protocol, gzip, timeoutMs, serviceName }, problems };
}

/** Returns the values that must not appear in events or logs: those of the headers, also without `Bearer`. */
export function secretsOfExport({ headers }: ExportSettings): readonly string[] {
  return Object.values(headers).flatMap((value) => [value, ...value.split(' ').slice(1)]);
}

interface Setting {
  readonly name: string;
  readonly value: string;
}

function settingOf(source: Variables, name: string): Setting | undefined {
  for (const each of [`OTEL_EXPORTER_OTLP_TRACES_${name}`, `OTEL_EXPORTER_OTLP_${name}`]) {
    const value = source[each]?.trim();
    if (value !== undefined && value !== '') return { name: each, value };
  }
  return undefined;
}

type Problem = (text: string) => undefined;

function readAddress(name: string, address: string, isBase: boolean, problem: Problem): string | undefined {
  if (!URL.canParse(address) || !/^https?:/i.test(address)) {
    return problem(`${name} must be an address such as http://127.0.0.1:4318.`);
  }
  const url = new URL(address);
  if (url.username !== '' || url.password !== '') {
    return problem(
      `${name} must have no user and password. Set OTEL_EXPORTER_OTLP_HEADERS=authorization=Basic%20… instead.`,
    );
  }
  if (isBase) url.pathname = `${url.pathname.replace(/\/$/, '')}/v1/traces`;
  return url.href;
}

function readProtocol(given: Setting | undefined, problem: Problem): ExportSettings['protocol'] | undefined {
  const value = given?.value ?? 'http/protobuf';
  if (value === 'http/json' || value === 'http/protobuf') return value;
  return problem(
    `${given?.name} must be http/protobuf or http/json. Other protocols, such as grpc, are not supported.`,
  );
}

/** Reads `key=value` pairs with commas between. Values are percent-encoded (W3C Baggage). */
function readHeaders(given: Setting | undefined, problem: Problem): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const pair of given?.value.split(',') ?? []) {
    if (pair.trim() === '') continue;
    const equals = pair.indexOf('=');
    const key = pair.slice(0, Math.max(equals, 0)).trim();
    const value = decoded(pair.slice(equals + 1).trim());
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(key) || value === undefined || /[^\t\x20-\x7e\x80-\xff]/.test(value)) {
      problem(`${given?.name} must be pairs such as authorization=Bearer%20TOKEN, with commas between.`);
      break;
    }
    headers[key] = value;
  }
  return headers;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function readCompression(given: Setting | undefined, problem: Problem): boolean {
  if (given !== undefined && !['gzip', 'none'].includes(given.value)) problem(`${given.name} must be gzip or none.`);
  return given?.value === 'gzip';
}

function readTimeout(given: Setting | undefined, problem: Problem): number {
  if (given === undefined) return 10_000;
  if (!/^\d{1,9}$/.test(given.value) || Number(given.value) === 0) {
    problem(`${given.name} must be a number of milliseconds.`);
  }
  return Number(given.value);
}
