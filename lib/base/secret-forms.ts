import { isRecord, type Json, parseJson } from './json';
import { isSecret } from './secret-value';

/**
 * Lists the texts that give a secret away: the secret itself, each part of it that is a secret too, and both in the
 * encodings that programs usually write.
 *
 *   secret ─┬─ whole, without spaces at its ends      ┐    as it is
 *           ├─ each line of 8 characters and more     │    escaped: JSON up to three times, a literal of code, HTML
 *           ├─ secret values of a JSON file           ├──▶ percent-encoded, as forms do it too, and twice
 *           └─ the password in an address             ┘    Base64 at any place of a longer text, hexadecimal
 *
 * A line of fewer characters (`}`) and the frame of a PEM file (`-----BEGIN PRIVATE KEY-----`) are no secrets: they would
 * match in too many places.
 */
export function formsOf(secret: string): ReadonlySet<string> {
  const forms = new Set<string>([secret]);
  for (const part of partsOf(secret)) {
    const escaped = escapedForms(part);
    const all = [part, ...escaped, ...escaped.flatMap(again)];
    // JSON is often encoded as a whole, with the escapes of its strings.
    for (const text of new Set([part, escaped[0] ?? part])) {
      all.push(...byteForms(text));
      // The lines of a text are not changed by the encoded ends of lines between them.
      if (!text.includes('\n')) all.push(...percentForms(text));
    }
    for (const form of all) if (form.length >= shortestForm) forms.add(form);
  }
  forms.delete('');
  return forms;
}

/** A shorter part or form would match in too many places. The secret itself may be shorter. */
const shortestForm = 8;

function partsOf(secret: string): ReadonlySet<string> {
  const trimmed = secret.trim();
  const whole = trimmed.length < shortestForm ? secret : trimmed;
  const parts = new Set([whole, ...linesOf(whole)]);
  if (whole.includes('\n')) {
    const plain = whole.replaceAll('\r\n', '\n');
    parts.add(plain).add(plain.replaceAll('\n', '\r\n'));
  }
  for (const inner of [...passwordsOf(whole), ...valuesOf(whole)]) {
    parts.add(inner);
    for (const line of linesOf(inner)) parts.add(line);
  }
  return parts;
}

/** Returns the lines that are secrets. Keys in variables often have `\n` for the end of a line. */
function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r\n?|\n|\\r\\n|\\n/);
  if (lines.length === 1) return [];
  return lines.map((line) => line.trim()).filter((line) => line.length >= shortestForm && !isFrame(line));
}

/** True for a frame of a PEM file, and for a line that only separates. */
function isFrame(line: string): boolean {
  return /^-{2,}\s*(?:BEGIN|END) [^-]*-{2,}$/.test(line) || /^([^\p{L}\p{N}])\1*$/u.test(line);
}

/** Returns the password in an address, as it is written and decoded (`%40` and `@`). */
export function passwordsOf(address: string): readonly string[] {
  if (!address.includes('://') || !URL.canParse(address)) return [];
  const { password } = new URL(address);
  if (password === '') return [];
  try {
    return [password, decodeURIComponent(password)];
  } catch {
    return [password];
  }
}

/** Returns the values in a JSON file that are secrets by their names or looks, such as the key of a service account. */
function valuesOf(text: string): readonly string[] {
  if (!/^[[{]/.test(text)) return [];
  const found: string[] = [];
  const collect = (name: string, value: Json): void => {
    if (typeof value === 'string') {
      if (value.length >= shortestForm && isSecret(name, value)) found.push(value.trim());
    } else if (Array.isArray(value)) for (const item of value) collect(name, item);
    else if (isRecord(value)) for (const [key, item] of Object.entries(value)) collect(key, item);
  };
  const value = parseJson(text);
  if (value !== undefined) collect('', value);
  return found;
}

/** Returns a text escaped in the styles of usual writers. The first is that of JavaScript. */
function escapedForms(text: string): readonly string[] {
  const json = quoted(text);
  const slashes = json.replaceAll('/', '\\/');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is what other characters are told from
  const beyondAscii = /[^\x00-\x7f]/g;
  const escaped = [
    json,
    slashes,
    json.replace(beyondAscii, lower),
    slashes.replace(beyondAscii, lower),
    json.replace(/[<>&\u2028\u2029]/g, lower),
    upperEscapes(json).replace(/[<>&'+`]|[^\x20-\x7e]/g, upper),
  ];
  const code = text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t');
  const html = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const quotes = html.replaceAll('"', '&quot;');
  return [
    ...escaped,
    code,
    code.replaceAll("'", "\\'"),
    html,
    ...['&#39;', '&#x27;', '&apos;'].map((one) => quotes.replaceAll("'", one)),
  ];
}

/** Returns JSON in a string of JSON, and that in a string once more. */
function again(json: string): readonly string[] {
  const twice = quoted(json);
  return [twice, quoted(twice)];
}

function quoted(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function lower(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function upper(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Writes `\"` as .NET does, without a change of `\\`. */
function upperEscapes(json: string): string {
  return json.replace(/\\(.)/g, (whole, char: string) => (char === '"' ? '\\u0022' : whole));
}

const lowerHex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const upperHex = lowerHex.map((digits) => digits.toUpperCase());

/** The characters that writers replace. */
const replaced = [
  // RFC 3986, and with the slashes of a path.
  /[^\w.~-]/gu,
  /[^\w.~\-/]/gu,
  // encodeURIComponent and encodeURI.
  /[^\w.~\-!*'()]/gu,
  /[^\w.~\-!*'();/?:@&=+$,#]/gu,
  // Forms of HTML.
  /[^\w.\-*]/gu,
  // The query and the password of an address (URL Standard).
  /[^\w.~\-!*();/?:@&=+$,[\]|\\^`{}%]/gu,
  /[^\w.~\-!*()&+$,%']/gu,
] as const;

function percentForms(text: string): readonly string[] {
  if (/^[\w.-]*$/.test(text)) return [];
  const once = new Set(replaced.map((chars) => text.replace(chars, percentEncoded)));
  return [...once].flatMap((form) => {
    const small = form.replace(/%[\dA-F]{2}/g, (code) => code.toLowerCase());
    const both = [form, small].flatMap((each) => (each.includes('%20') ? [each, each.replaceAll('%20', '+')] : [each]));
    return [...both, ...both.map((each) => each.replaceAll('%', '%25'))];
  });
}

function percentEncoded(char: string): string {
  const code = char.charCodeAt(0);
  if (code < 0x80) return `%${upperHex[code]}`;
  return Array.from(bytesOf(char), (byte) => `%${upperHex[byte]}`).join('');
}

/** Tools break lines of Base64 after so many characters (RFC 2045, RFC 7468). */
const lineLengths = [76, 64] as const;

/** Returns hexadecimal and Base64 forms, and Base64 as addresses and JSON write it. */
function byteForms(text: string): readonly string[] {
  let binary = '';
  let hex = '';
  for (const byte of bytesOf(text)) {
    binary += String.fromCharCode(byte);
    hex += lowerHex[byte];
  }
  const base64 = [0, 1, 2].map((before) => base64At(binary, before));
  return [
    hex,
    hex.toUpperCase(),
    ...lineLengths.flatMap((length) => chunks(base64[0] ?? '', length)),
    ...base64.flatMap((form) => [
      form,
      form.replaceAll('+', '-').replaceAll('/', '_'),
      form.replaceAll('/', '\\/'),
      form.replaceAll('+', '%2B').replaceAll('/', '%2F'),
      form.replaceAll('+', '%2b').replaceAll('/', '%2f'),
    ]),
  ];
}

/**
 * Returns the Base64 characters that the bytes alone decide, if `before` bytes of other text share their group of three:
 *
 *   bytes       ? b b | b b b      before = 1
 *   characters  ? ? c c | c c c c  the first two have bits of the other byte
 */
function base64At(binary: string, before: number): string {
  const from = before === 0 ? 0 : before + 1;
  return btoa('\0'.repeat(before) + binary).slice(from, Math.floor(((before + binary.length) * 8) / 6));
}

function chunks(text: string, length: number): readonly string[] {
  const count = text.length <= length ? 0 : Math.ceil(text.length / length);
  return Array.from({ length: count }, (_, index) => text.slice(index * length, (index + 1) * length));
}

const encoder = new TextEncoder();

function bytesOf(text: string): Uint8Array {
  return encoder.encode(text);
}
