import { isRecord } from '@/lib/base/json';
import type { ProjectEnv } from '@/lib/base/project-env';
import { isSecret } from '@/lib/base/secret-value';
import type { EventSink } from './event-sink';
import type { EventBody } from './events';

/** Values that must not appear in recorded events. */
export interface HiddenValues {
  /** Hidden in all events: provider keys, the database password, secrets of projects. */
  readonly everywhere: readonly string[];
  /** Hidden only in output of servers (`log`, `setup.ended`, `failedServers`), because an answer may contain them: a folder's name, an address. */
  readonly inLogs: readonly string[];
}

/** Names of variables whose values are secrets: `OPENAI_API_KEY`, `GITHUB_TOKEN`, but not `GIT_AUTHOR` or `SSH_AUTH_SOCK`. */
const secretName = /(?:key|token|secret|passwd|password|credentials?|cookie)$/i;
/** Shorter values would match in too many places. */
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
  /** The environment of the process, which may hold secrets that no setting names. */
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

/** The secret in a value: a key itself, the password of an address. */
function secretsOf(value: string | undefined): readonly (string | undefined)[] {
  return value !== undefined && /^https?:\/\//.test(value) ? passwordsOf(value) : [value];
}

/** As written and decoded: `%40` and `@`. */
function passwordsOf(address: string | undefined): readonly string[] {
  if (address === undefined || !URL.canParse(address)) return [];
  const { password } = new URL(address);
  try {
    return [password, decodeURIComponent(password)];
  } catch {
    return [password];
  }
}

/** A sink that replaces each hidden value with `***` in every event. */
export function redactEvents(sink: EventSink, hidden: HiddenValues): EventSink {
  const everywhere = longestFirst(hidden.everywhere);
  const inLogs = longestFirst([...hidden.everywhere, ...hidden.inLogs]);
  if (inLogs.length === 0) return sink;
  return {
    append(body) {
      // The message about a server that did not start contains its output.
      const isLog = body.kind === 'log' || body.kind === 'setup.ended';
      const said = body.kind === 'run.finished' && body.failedServers ? withoutSecrets(body, inLogs) : body;
      const secrets = isLog ? inLogs : everywhere;
      sink.append(secrets.length === 0 ? said : redactEvent(said, secrets));
    },
    delta: sink.delta?.bind(sink),
    flush: () => sink.flush(),
  };
}

/** Longest first: a secret may be part of another. */
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

/** Changes texts alone, so the event keeps its shape. */
function redactEvent(body: EventBody, secrets: readonly string[]): EventBody {
  return redactValue(body, secrets) as EventBody;
}

/** Returns the same object if it holds no secret, so that most events are not copied. */
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
