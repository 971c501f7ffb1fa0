import type { ServerSpec } from './server-spec';

/** Returns what is hidden in messages of a server: values of its settings, and the tokens of its sign-in as they are now. */
export function hiddenIn(spec: ServerSpec): readonly string[] {
  return withTokens(spec, spec.secrets);
}

/** Returns the tokens of the sign-in at a server. */
function tokensOf(spec: ServerSpec): readonly string[] | undefined {
  return spec.transport === 'stdio' ? undefined : spec.signIn?.hidden();
}

/** Returns what is hidden in all that a server says to models: the secrets of its settings, and the tokens of its sign-in as they are now. */
export function sealedIn(spec: ServerSpec): readonly string[] {
  return withTokens(spec, spec.sealed);
}

/** By the values of settings. A list is made anew when a token was renewed, because what hides it is kept by the list. */
const joined = new WeakMap<
  readonly string[],
  { readonly tokens: readonly string[]; readonly all: readonly string[] }
>();

function withTokens(spec: ServerSpec, values: readonly string[]): readonly string[] {
  const tokens = tokensOf(spec);
  if (tokens === undefined || tokens.length === 0) return values;
  const known = joined.get(values);
  if (known?.tokens === tokens) return known.all;
  const all = [...values, ...tokens];
  joined.set(values, { tokens, all });
  return all;
}
