import { isProviderVariable, whyNeverGiven } from './project-env';

/** Shorter values cannot be hidden in what is recorded, because they would match in too many places. */
const shortest = 8;
const longest = 20_000;

/** Says why a name with this value cannot be a secret, with the next step. Returns `undefined` when it can. */
export function whyNotSecret(name: string, value: string): string | undefined {
  if (!/^[A-Za-z_][A-Za-z0-9_]{0,99}$/.test(name)) {
    return `'${name.slice(0, 100)}' is not the name of a variable. Use letters, digits and _, at most 100.`;
  }
  if (/_(?:BASE_URL|ENDPOINT)$/i.test(name) && isProviderVariable(name)) {
    return `${name} is an address, which is no secret. Set it as an environment variable.`;
  }
  const never = isProviderVariable(name) ? undefined : whyNeverGiven(name);
  if (never !== undefined) return never;
  if (value.length < shortest) {
    return `A secret has at least ${shortest} characters: a shorter one could not be hidden in what is recorded.`;
  }
  if (value.length > longest) return `A secret has at most ${longest.toLocaleString('en-US')} characters.`;
  return value.includes('\0') ? 'A secret has no NUL characters.' : undefined;
}
