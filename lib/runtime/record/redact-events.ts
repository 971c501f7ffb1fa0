import { isRecord } from '@/lib/base/json';
import type { ProjectEnv } from '@/lib/base/project-env';
import { isSecret } from '@/lib/base/secret-value';
import type { EventSink } from './event-sink';
import type { EventBody } from './events';

/** Values that nobody may read in what is recorded. */
export interface HiddenValues {
  /** Hidden in events of every kind: the keys of providers, the password of the database, secrets that projects are given. */
  readonly everywhere: readonly string[];
  /** Hidden in what servers say alone (`log`, `setup.ended`, `failedServers`), because an answer may well contain them: a folder's name, an address. */
  readonly inLogs: readonly string[];
}

/** Names of variables whose values are secrets: `OPENAI_API_KEY`, `GITHUB_TOKEN`, but not `GIT_AUTHOR` or `SSH_AUTH_SOCK`. */
const secretName = /(?:key|token|secret|passwd|password|credentials?|cookie)$/i;
/** Shorter values would garble every message. */
const shortest = 8;

/** Values of an environment that are secrets by their names. */
export function secretsOfEnv(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && value.length >= shortest && secretName.test(name) ? [value] : [],
  );
}

/** What must be hidden in the runs of a process with these settings. `databaseUrl` undefined: it has no database. */
export function hiddenValues(settings: {
  /** The operator's keys and addresses of model providers, by name. */
  readonly models: Readonly<Record<string, string | undefined>>;
  readonly databaseUrl: string | undefined;
  readonly projectEnv: ProjectEnv;
  /** The process's own environment: it may hold secrets that nobody told us of. */
  readonly env: Readonly<Record<string, string | undefined>>;
}): HiddenValues {
  const given = Object.entries(settings.projectEnv).flatMap(([name, value]) =>
    value === undefined || value.length < shortest ? [] : [{ value, isSecret: isSecret(name, value) }],
  );
  const own = [
    ...Object.values(settings.models).flatMap(secretsOf),
    settings.databaseUrl?.includes('@') ? settings.databaseUrl : undefined,
    ...passwordsOf(settings.databaseUrl),
  ].flatMap((value) => (value === undefined || value.length < shortest ? [] : [value]));
  return {
    everywhere: [...own, ...given.flatMap((one) => (one.isSecret ? [one.value] : []))],
    inLogs: [...given.map((one) => one.value), ...secretsOfEnv(settings.env)],
  };
}

/** A key as it is; of an address its password. */
function secretsOf(value: string | undefined): readonly (string | undefined)[] {
  return value !== undefined && /^https?:\/\//.test(value) ? passwordsOf(value) : [value];
}

/** As written and as meant: `%40` and `@`. */
function passwordsOf(address: string | undefined): readonly string[] {
  if (address === undefined || !URL.canParse(address)) return [];
  const { password } = new URL(address);
  try {
    return [password, decodeURIComponent(password)];
  } catch {
    return [password];
  }
}

/** A sink whose events show `***` in place of each hidden value, whoever wrote them. */
export function redactEvents(sink: EventSink, hidden: HiddenValues): EventSink {
  const everywhere = longestFirst(hidden.everywhere);
  const inLogs = longestFirst([...hidden.everywhere, ...hidden.inLogs]);
  if (inLogs.length === 0) return sink;
  return {
    append(body) {
      // What a server printed is a log, also in the message that says why it did not start.
      const isLog = body.kind === 'log' || body.kind === 'setup.ended';
      const said = body.kind === 'run.finished' && body.failedServers ? withoutSecrets(body, inLogs) : body;
      const secrets = isLog ? inLogs : everywhere;
      sink.append(secrets.length === 0 ? said : redactEvent(said, secrets));
    },
    delta: sink.delta?.bind(sink),
    flush: () => sink.flush(),
  };
}

/** A secret may be part of another. */
function longestFirst(secrets: readonly string[]): readonly string[] {
  return [...new Set(secrets)].sort((a, b) => b.length - a.length);
}

function withoutSecrets(body: Extract<EventBody, { kind: 'run.finished' }>, secrets: readonly string[]): EventBody {
  const failedServers = body.failedServers?.map(({ name, message }) => ({
    name: redactText(name, secrets),
    message: redactText(message, secrets),
  }));
  return { ...body, failedServers };
}

/** Only texts change, so an event stays an event of its kind. */
function redactEvent(body: EventBody, secrets: readonly string[]): EventBody {
  return redactValue(body, secrets) as EventBody;
}

/** The same value where it holds no secret: most events hold none, and are not copied. */
function redactValue(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') return redactText(value, secrets);
  if (Array.isArray(value)) {
    let copy: unknown[] | undefined;
    for (const [index, item] of value.entries()) {
      const clean = redactValue(item, secrets);
      if (clean !== item) copy ??= [...value];
      if (copy !== undefined) copy[index] = clean;
    }
    return copy ?? value;
  }
  if (!isRecord(value)) return value;
  let changed = false;
  const entries: [string, unknown][] = [];
  for (const key of Object.keys(value)) {
    const entry: [string, unknown] = [redactText(key, secrets), redactValue(value[key], secrets)];
    changed ||= entry[0] !== key || entry[1] !== value[key];
    entries.push(entry);
  }
  return changed ? Object.fromEntries(entries) : value;
}

function redactText(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) {
    if (clean.length >= secret.length && clean.includes(secret)) clean = clean.replaceAll(secret, '***');
  }
  return clean;
}
