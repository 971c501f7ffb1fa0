import type { EventSink } from './ports';

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

/** A sink whose `log` events show `***` in place of each secret, whoever wrote them. */
export function redactLogs(sink: EventSink, secrets: readonly string[]): EventSink {
  // The longest first: a secret may be part of another.
  const hidden = [...new Set(secrets)].sort((a, b) => b.length - a.length);
  if (hidden.length === 0) return sink;
  return {
    append(body) {
      if (body.kind !== 'log') return sink.append(body);
      sink.append({ ...body, message: hidden.reduce((text, secret) => text.replaceAll(secret, '***'), body.message) });
    },
    delta: sink.delta?.bind(sink),
    flush: () => sink.flush(),
  };
}
