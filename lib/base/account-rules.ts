/** A password has at least this many characters. Other rules, such as digits, make passwords that people write down. */
export const shortestPassword = 12;
/** Longer texts are refused before they are hashed. */
export const longestPassword = 200;

/** Says why a text cannot be the password of a person, as a sentence, or returns `undefined`. */
export function whyNotPassword(
  password: string,
  person: { readonly name: string; readonly email: string },
): string | undefined {
  const length = [...password].length;
  if (length < shortestPassword) {
    return `The password has ${length} characters. Use ${shortestPassword} or more: a few words that you can remember do well.`;
  }
  if (length > longestPassword) return `The password is longer than ${longestPassword} characters. Use a shorter one.`;
  if (new Set(password).size < 5) return 'The password repeats few characters. Use a few different words.';
  const lower = password.toLowerCase();
  const [account = ''] = person.email.toLowerCase().split('@');
  const parts = [person.email.toLowerCase(), account, ...person.name.toLowerCase().split(/\s+/)];
  // What is left without them must be long enough by itself.
  const rest = parts.filter((part) => part.length >= 3).reduce((text, part) => text.replaceAll(part, ''), lower);
  if ([...rest].length < shortestPassword - 4) {
    return 'The password is little more than the name or the e-mail address. Use words that have nothing to do with them.';
  }
  return undefined;
}

/** The addresses that sign-in accepts: letters without accents, as mail servers do. */
const address = /^(?!\.)(?!.*\.\.)[\w'+\-.]*[\w+-]@(?:[a-z\d][a-z\d-]*\.)+[a-z]{2,}$/i;

/** Says why a text is no e-mail address, as a sentence, or returns `undefined`. It may be in any case. */
export function whyNotEmail(email: string): string | undefined {
  if (email.length <= 254 && address.test(email)) return undefined;
  return 'This is not an e-mail address. Write one such as ann@example.org.';
}
