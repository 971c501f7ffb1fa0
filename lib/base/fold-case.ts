/**
 * Returns a text in a form in which words that differ in upper and lower case alone are equal, in every script: `Straße` and `STRASSE`,
 * `ΟΔΟΣ` and `οδος`, `İstanbul`, `ISTANBUL` and `ıstanbul`. Accents stay. Folding a folded text changes nothing.
 *
 * It is Unicode's full case folding (The Unicode Standard, section 5.18), and the dotless and the dotted i of Turkish are equal to i.
 */
export function foldCase(text: string): string {
  // By way of upper case, because only that makes one letter of ſ and s, of ß and ss, of ς and σ.
  return text
    .normalize('NFC')
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .replaceAll('i\u0307', 'i')
    .normalize('NFC');
}
