import { isRecord } from '@/lib/base/json';
import type { ProjectEnv } from '@/lib/base/project-env';
import { isSecret } from '@/lib/base/secret-value';
import type { EventSink } from './event-sink';
import type { EventBody } from './events';
import { redactDeltas } from './redact-deltas';

/** Values that must not appear in recorded events. */
export interface HiddenValues {
  /** Values hidden in all events: provider keys, the database password, secrets of projects. */
  readonly everywhere: readonly string[];
  /**
   * Values hidden only in output of servers (`log`, `setup.ended`, `failedServers`), such as a folder's name or an address.
   * An answer may rightly contain them.
   */
  readonly inLogs: readonly string[];
  /** Values that come to be known during a run, such as renewed tokens. They are hidden everywhere. */
  readonly live?: LiveValues | undefined;
}

export interface LiveValues {
  /** Returns the same array until a value is added. */
  current(): readonly string[];
}

/**
 * Matches names of variables whose values are secrets, such as `OPENAI_API_KEY` and `GITHUB_TOKEN`, but not `GIT_AUTHOR` or
 * `SSH_AUTH_SOCK`.
 */
const secretName = /(?:key|token|secret|passwd|password|credentials?|cookie)$/i;
/** Shorter values are not hidden, because they would match in too many places. */
const shortest = 8;

/** Returns the values of an environment that are secrets by their names. */
export function secretsOfEnv(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && value.length >= shortest && secretName.test(name) ? [value] : [],
  );
}

/**
 * Returns what must be hidden in the runs of a process with these settings. `databaseUrl` is `undefined` without a
 * database.
 */
export function hiddenValues(settings: {
  /** The operator's keys and addresses of model providers, by name. */
  readonly models: Readonly<Record<string, string | undefined>>;
  readonly databaseUrl: string | undefined;
  readonly projectEnv: ProjectEnv;
  /** The environment of the process, which may hold secrets that no setting names. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Further secrets of the operator. */
  readonly more?: readonly string[] | undefined;
}): HiddenValues {
  const given = Object.entries(settings.projectEnv).flatMap(([name, value]) =>
    value === undefined || value.length < shortest ? [] : [{ value, isSecret: isSecret(name, value) }],
  );
  const own = [
    ...Object.values(settings.models).flatMap(secretsOf),
    settings.databaseUrl?.includes('@') ? settings.databaseUrl : undefined,
    ...passwordsOf(settings.databaseUrl),
    ...(settings.more ?? []),
  ].flatMap((value) => (value === undefined || value.length < shortest ? [] : [value]));
  return {
    everywhere: [...own, ...given.flatMap((one) => (one.isSecret ? [one.value] : []))],
    inLogs: [...given.map((one) => one.value), ...secretsOfEnv(settings.env)],
  };
}

/** Returns the secrets in a value: the key itself, or the password of an address. */
function secretsOf(value: string | undefined): readonly (string | undefined)[] {
  return value !== undefined && /^https?:\/\//.test(value) ? passwordsOf(value) : [value];
}

/** Returns the password both as written and decoded, such as `%40` and `@`. */
function passwordsOf(address: string | undefined): readonly string[] {
  if (address === undefined || !URL.canParse(address)) return [];
  const { password } = new URL(address);
  try {
    return [password, decodeURIComponent(password)];
  } catch {
    return [password];
  }
}

/** Wraps a sink so that each hidden value is replaced by `***` in every event, and in text that is streamed. */
export function redactEvents(sink: EventSink, hidden: HiddenValues): EventSink {
  const { live } = hidden;
  let known = live?.current();
  let everywhere = longestFirst([...hidden.everywhere, ...(known ?? [])]);
  let inLogs = longestFirst([...everywhere, ...hidden.inLogs]);
  if (inLogs.length === 0 && live === undefined) return sink;
  const refresh = () => {
    const now = live?.current();
    if (now === known) return;
    known = now;
    everywhere = longestFirst([...hidden.everywhere, ...(now ?? [])]);
    inLogs = longestFirst([...everywhere, ...hidden.inLogs]);
  };
  const everywhereNow = () => {
    refresh();
    return everywhere;
  };
  const deltas = sink.delta && redactDeltas((delta) => sink.delta?.(delta), everywhereNow);
  return {
    append(body) {
      refresh();
      deltas?.release(body);
      // The message about a server that did not start contains the server's output.
      const isLog = body.kind === 'log' || body.kind === 'setup.ended';
      const said = body.kind === 'run.finished' && body.failedServers ? withoutSecrets(body, inLogs) : body;
      const secrets = isLog ? inLogs : everywhere;
      sink.append(hideValues<EventBody>(said, secrets));
    },
    delta: deltas?.delta,
    flush: () => sink.flush(),
  };
}

/** Returns all values that are hidden in logs, and `more`, in the order in which `hideValues` wants them. */
export function allHidden(hidden: HiddenValues, more: readonly string[] = []): readonly string[] {
  return longestFirst([...hidden.everywhere, ...hidden.inLogs, ...(hidden.live?.current() ?? []), ...more]);
}

/** Replaces each hidden value by `***` in all texts of a value, keys included. Changes only texts, so the shape stays. */
export function hideValues<T>(value: T, hidden: readonly string[]): T {
  return hidden.length === 0 ? value : (redactValue(value, hidden) as T);
}

/** Sorts by length, longest first, because one secret may be part of another. */
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
