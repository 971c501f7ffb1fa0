/** `scheme://user:password@…`, as in DATABASE_URL. */
const hasPassword = /:\/\/[^/@\s]*:[^/@\s]+@/;
const secretName = /key|token|secret|passw|auth|credential|cookie|(?:^|_)(?:pat|pin|pwd)$/i;
/** Letters and digits mixed, without blanks: what a random text looks like, and a word or a path does not. */
const looksRandom = /^(?=.*[A-Za-z])(?=.*\d)[^\s/\\]{16,}$/;

/**
 * Whether the value of a variable, header or field is a secret, which nobody may read anywhere, or a plain setting such as
 * a folder, a mode or an address, which an answer may well contain.
 */
export function isSecret(name: string, value: string): boolean {
  return secretName.test(name) || hasPassword.test(value) || looksRandom.test(value);
}
