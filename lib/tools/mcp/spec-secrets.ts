import type { ServerSpec } from './server-spec';

/** Returns what is hidden in messages of a server: values of its settings, and the tokens of its sign-in as they are now. */
export function hiddenIn(spec: ServerSpec): readonly string[] {
  return [...spec.secrets, ...tokensOf(spec)];
}

/** Returns the tokens of the sign-in at a server. */
function tokensOf(spec: ServerSpec): readonly string[] {
  return (spec.transport !== 'stdio' && spec.signIn?.hidden()) || [];
}

/** Returns what is hidden in all that a server says to models: the secrets of its settings, and the tokens of its sign-in as they are now. */
export function sealedIn(spec: ServerSpec): readonly string[] {
  return [...spec.sealed, ...tokensOf(spec)];
}
