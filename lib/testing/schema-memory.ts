import { Ajv } from 'ajv';
import type { JsonObject } from '@/lib/base/json';
import { schemaCheck } from '@/lib/base/json-schema';

/**
 * Prints the bytes in memory after 2,000 schemas were compiled and released: `ours`, and `kept` by one instance of the
 * library. It runs in a process of its own with `--expose-gc`.
 */
const count = 2_000;

function schemaNumber(index: number, kind: string): JsonObject {
  return {
    type: 'object',
    title: `${kind} ${index}`,
    properties: {
      [`a${index}`]: { type: 'string', pattern: `^a${index}$` },
      b: { type: 'array', items: { type: 'number' } },
    },
    required: ['b'],
  };
}

function heapBytes(): number {
  if (global.gc === undefined) throw new Error('Start this with --expose-gc.');
  global.gc();
  global.gc();
  return process.memoryUsage().heapUsed;
}

/** Returns the growth during the second half. The first half fills caches. */
function growth(compile: (index: number) => unknown): number {
  for (let index = 0; index < count / 2; index += 1) compile(index);
  const start = heapBytes();
  for (let index = count / 2; index < count; index += 1) compile(index);
  return heapBytes() - start;
}

const shared = new Ajv({ strict: false });
const kept = growth((index) => shared.compile(schemaNumber(index, 'kept')));
const ours = growth((index) => schemaCheck(schemaNumber(index, 'ours'), 'draft-07'));
shared.compile({});
process.stdout.write(JSON.stringify({ ours, kept }));
