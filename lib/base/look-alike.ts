/*
 * Tells names apart that a reader confuses. Two names look alike if they have the same skeleton (Unicode Technical Standard 39,
 * section 4): letters of other scripts become the Latin ones that they look like, and what nobody sees is left out.
 *
 *   'p<U+0430>y', 'pa<U+200B>y', 'pay'  →  'pay'
 *
 * The table has the letters of scripts and the signs that look the same in most fonts, and not all of the standard's 6,000.
 */

/** Other characters, by what they look like. */
const others: Readonly<Record<string, string>> = {
  a: '\u0430\u03b1\u0251',
  c: '\u0441\u03f2',
  d: '\u0501',
  e: '\u0435',
  g: '\u0261\u0581',
  h: '\u04bb\u0570',
  i: '\u0456\u03b9\u0131\u0269',
  j: '\u0458\u03f3',
  k: '\u043a\u03ba',
  l: '\u04cf',
  n: '\u0578',
  o: '\u043e\u03bf\u03c3\u0585',
  p: '\u0440\u03c1',
  q: '\u051b\u0566',
  s: '\u0455',
  u: '\u03c5\u057d',
  v: '\u0475\u03bd',
  w: '\u051d',
  x: '\u0445\u03c7',
  y: '\u0443\u03b3',
  A: '\u0410\u0391\u13aa',
  B: '\u0412\u0392\u13f4',
  C: '\u0421\u13df',
  D: '\u13a0',
  E: '\u0415\u0395\u13ac',
  G: '\u050c\u13c0',
  H: '\u041d\u0397\u13bb',
  I: '\u0406\u0399\u04c0',
  J: '\u0408\u13ab',
  K: '\u041a\u039a\u13e6',
  L: '\u13de',
  M: '\u041c\u039c\u13b7',
  N: '\u039d',
  O: '\u041e\u039f',
  P: '\u0420\u03a1\u13e2',
  Q: '\u051a',
  R: '\u13a1',
  S: '\u0405\u13da',
  T: '\u0422\u03a4\u13a2',
  V: '\u0474\u13d9',
  W: '\u051c\u13b3',
  X: '\u0425\u03a7',
  Y: '\u0423\u03a5\u13bd',
  Z: '\u0396\u13c3',
  '-': '\u2010\u2012\u2013\u2014\u2015\u2212',
  '/': '\u2044\u2215',
  ':': '\u02d0\u2236\ua789',
};
const latin = new Map(Object.entries(others).flatMap(([as, all]) => [...all].map((one) => [one, as] as const)));
/** These look the same in many fonts, also among ordinary letters. */
const plain: Readonly<Record<string, string>> = { I: 'l', '1': 'l', '|': 'l', '0': 'O' };

/** Returns the skeleton of a name. It is for comparing only. */
export function skeletonOf(name: string): string {
  const ascii = /^[\x20-\x7e]*$/.test(name) ? name : latinOf(name);
  return ascii.replace(/[I1|0]/g, (sign) => plain[sign] ?? sign);
}

function latinOf(name: string): string {
  const seen = name.normalize('NFKD').replace(/[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '');
  return [...seen].map((character) => latin.get(character) ?? character).join('');
}

/** Returns a letter inside a word of Latin letters that only looks like one; `undefined` if the name has none. */
export function disguisedLetter(name: string): { readonly letter: string; readonly looksLike: string } | undefined {
  if (/^[\x20-\x7e]*$/.test(name)) return undefined;
  for (const [word] of name.matchAll(/[\p{L}\p{M}]+/gu)) {
    if (!/[A-Za-z]/.test(word)) continue;
    for (const letter of word) {
      const looksLike = latin.get(letter);
      if (looksLike !== undefined && !/\p{Script=Latin}/u.test(letter)) return { letter, looksLike };
    }
  }
  return undefined;
}
