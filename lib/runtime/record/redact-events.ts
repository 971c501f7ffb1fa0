import { hideValues } from '@/lib/base/hide-values';
import { hiderOf } from '@/lib/base/hider';
import type { ProjectEnv } from '@/lib/base/project-env';
import { passwordsOf } from '@/lib/base/secret-forms';
import { isSecret } from '@/lib/base/secret-value';
import type { EventSink } from './event-sink';
import type { EventBody } from './events';
import type { Message } from './messages';
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
    ...passwordsOf(settings.databaseUrl ?? ''),
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

/** Wraps a sink so that each hidden value is replaced by `***`, in any form, in every event and in text that is streamed. */
export function redactEvents(sink: EventSink, hidden: HiddenValues): EventSink {
  const { live } = hidden;
  let known = live?.current() ?? [];
  let everywhere = [...hidden.everywhere, ...known];
  let inLogs = [...everywhere, ...hidden.inLogs];
  if (inLogs.length === 0 && live === undefined) return sink;
  const refresh = () => {
    const now = live?.current() ?? known;
    if (now === known) return;
    known = now;
    everywhere = [...hidden.everywhere, ...now];
    inLogs = [...everywhere, ...hidden.inLogs];
  };
  const everywhereNow = () => {
    refresh();
    return hiderOf(everywhere);
  };
  const deltas = sink.delta && redactDeltas((delta) => sink.delta?.(delta), everywhereNow);
  return {
    append(body) {
      refresh();
      deltas?.release(body);
      // The message about a server that did not start contains the server's output.
      const isLog = body.kind === 'log' || body.kind === 'setup.ended';
      const failedServers = body.kind === 'run.finished' ? body.failedServers : undefined;
      const said = failedServers ? { ...body, failedServers: hideValues(failedServers, inLogs) } : body;
      sink.append(withWholeProviderData(said, hideValues<EventBody>(said, isLog ? inLogs : everywhere)));
    },
    delta: deltas?.delta,
    flush: () => sink.flush(),
  };
}

/** Leaves out what a provider expects back unchanged, if a value was hidden in it: the provider would refuse it. */
function withWholeProviderData(before: EventBody, after: EventBody): EventBody {
  if (before === after) return after;
  if (after.kind === 'model.ended' && before.kind === 'model.ended' && after.message !== undefined) {
    return { ...after, message: whole(after.message, before.message) };
  }
  if (after.kind === 'session.saved' && before.kind === 'session.saved') {
    return { ...after, messages: after.messages.map((message, index) => whole(message, before.messages[index])) };
  }
  return after;
}

function whole<M extends Message>(after: M, before: Message | undefined): M {
  if (after.role !== 'assistant' || before?.role !== 'assistant') return after;
  if (after.fromProvider === before.fromProvider) return after;
  return { ...after, fromProvider: undefined };
}

/** Returns all values that are hidden in logs, and `more`. */
export function allHidden(hidden: HiddenValues, more: readonly string[] = []): readonly string[] {
  return [...hidden.everywhere, ...hidden.inLogs, ...(hidden.live?.current() ?? []), ...more];
}
