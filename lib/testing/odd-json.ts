import fc from 'fast-check';
import { isRecord, type Json } from '@/lib/base/json';

/** Texts that break parsers, names, file systems, databases and templates. */
export const oddText = fc.oneof(
  fc.constantFrom('', '\0', 'a\0b', '\ud800', 'a\udc00b', '__proto__', 'constructor', '../../etc/passwd', '\u202e'),
  fc.constantFrom('x'.repeat(300), 'x'.repeat(200_000), `\${HOME}`, '{{env:HOME}}', '😀'.repeat(2_000), 'NaN', '1e999'),
  fc.string({ unit: 'binary' }),
);
/** JSON of every type where another one is expected. */
export const oddValue: fc.Arbitrary<Json> = fc.oneof(
  oddText,
  fc.constantFrom<Json>(null, true, 0, -1, 1.5, 2 ** 53, -(2 ** 31) - 1, 1e308, [], {}, [[]], [null]),
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>,
  fc.dictionary(oddText, oddText, { maxKeys: 4 }),
);

/** Puts a value in the place of the one at `at` (counted over the whole body), or beside its members under a name. */
export function changed(body: Json, at: number, value: Json, name: string | undefined): Json {
  const places = placesOf(body, []);
  const place = places[at % places.length] ?? [];
  return replaced(body, place, value, name);
}

function placesOf(value: Json, here: readonly string[]): string[][] {
  const below =
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, inner]) => placesOf(inner, [...here, key]))
      : [];
  return [[...here], ...below];
}

function replaced(body: Json, [key, ...rest]: readonly string[], value: Json, name: string | undefined): Json {
  if (key === undefined) {
    if (name === undefined || !isRecord(body)) return value;
    return Object.fromEntries([...Object.entries(body), [name, value]]) as Json;
  }
  if (Array.isArray(body))
    return body.map((one, index) => (String(index) === key ? replaced(one, rest, value, name) : one));
  if (!isRecord(body)) return value;
  return Object.fromEntries(
    Object.entries(body).map(([k, one]) => [k, k === key ? replaced(one as Json, rest, value, name) : one]),
  ) as Json;
}
