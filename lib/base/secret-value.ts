/** Matches `scheme://user:password@…`, as in DATABASE_URL. */
const hasPassword = /:\/\/[^/@\s]*:[^/@\s]+@/;
const secretName = /key|token|secret|passw|auth|credential|cookie|(?:^|_)(?:pat|pin|pwd)$/i;
/** Matches letters mixed with digits, without spaces or slashes. Such a value looks random, unlike a word or a path. */
const looksRandom = /^(?=.*[A-Za-z])(?=.*\d)[^\s/\\]{16,}$/;

/**
 * True if the value of a variable, header or field is a secret, which must not be shown anywhere. False for a plain setting
 * such as a folder, a mode or an address, which an answer may contain.
 */
export function isSecret(name: string, value: string): boolean {
  return secretName.test(name) || hasPassword.test(value) || looksRandom.test(value);
}
