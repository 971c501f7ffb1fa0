import type { Json } from '@/lib/base/json';
import type { Fixture } from '@/lib/cards/fixture';
import { pairLines } from '@/lib/cards/yaml/yaml-print';

/** Writes the file of a new test. Later changes edit it in place. */
export function writeFixture(fixture: Fixture): string {
  const { expect, ...rest } = JSON.parse(JSON.stringify(fixture)) as Record<string, Json>;
  const pairs = Object.entries({ ...rest, ...(expect !== undefined && { expect }) });
  const style = { eol: '\n', step: 2, dash: 2 } as const;
  return `${pairs.flatMap(([key, value]) => (value === undefined ? [] : pairLines(key, value, 0, style))).join('\n')}\n`;
}
