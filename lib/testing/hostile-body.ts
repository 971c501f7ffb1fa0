import fc from 'fast-check';
import type { Json } from '@/lib/base/json';
import { changed, oddText, oddValue } from './odd-json';

/** A request that no client of ours sends. Without an `id` the address names what is there. */
export interface HostileBody {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly type: string;
  readonly id: string | undefined;
}

const bytes = (text: string) => new TextEncoder().encode(text);

const anyBytes = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc.constantFrom(
    bytes(''),
    bytes('null'),
    bytes('[]'),
    bytes('{'),
    bytes('"a"'),
    bytes('['.repeat(100_000)),
    bytes(`${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`),
    bytes(`[${'0,'.repeat(500_000)}0]`),
    bytes(`{"name":"${'\\u0000'.repeat(1_000)}"}`),
    bytes('{"name":"\\ud800"}'),
    bytes('{"__proto__":{"name":"a"},"constructor":{"prototype":1}}'),
    bytes('{"name":1e999}'),
    bytes('\ufeff{"name":"a"}'),
    new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]),
  ),
);
const anyType = fc.oneof(
  { weight: 6, arbitrary: fc.constant('application/json') },
  fc.constantFrom(
    'application/zip',
    'multipart/form-data',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
    'application/x-protobuf',
    'text/plain',
    'application/json; charset=utf-16',
  ),
);
const anyId = fc.oneof(
  { weight: 6, arbitrary: fc.constant(undefined) },
  fc.constantFrom(
    ...['none', '', '.', '..', '\0', 'a\0', '\ud800', '%00', 'x'.repeat(5_000), '__proto__'],
    "'; DROP TABLE run; --",
  ),
);

/** Any bytes, of any type, for any id. */
export const anyBody: fc.Arbitrary<HostileBody> = fc
  .record({ body: anyBytes, type: anyType, id: anyId })
  .map(({ body, ...rest }) => ({ ...rest, body: new Uint8Array(body) }));

/** A body that is taken, with one odd thing in it. */
export const oddBody = (taken: Json): fc.Arbitrary<HostileBody> =>
  fc
    .tuple(fc.nat(60), oddValue, fc.option(oddText, { nil: undefined }))
    .map(([at, value, name]) => ({ ...plainJson(JSON.stringify(changed(taken, at, value, name))) }));

export function plainJson(text: string): HostileBody {
  return { body: bytes(text), type: 'application/json', id: undefined };
}
