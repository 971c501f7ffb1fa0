import { expect, test } from 'vitest';
import type { RunInfo } from '@/lib/client/run-info';
import { noUsage } from '@/lib/runtime/record/messages';
import { csvHead, csvRow } from './run-table';

const run: RunInfo = {
  id: 'r',
  projectId: 'p',
  projectName: 'P, "the" project',
  status: 'completed',
  entryAgent: 'lead',
  message: '=HYPERLINK("x")\nand more',
  model: undefined,
  correlationId: 'c',
  source: 'callboard',
  scripted: false,
  createdAt: 0,
  startedAt: 1_000,
  finishedAt: 1_250,
  answer: undefined,
  error: undefined,
  usage: { ...noUsage, inputTokens: 10, outputTokens: 5 },
  modelUsage: undefined,
  treeHash: 't',
  startedBy: 'ada@example.org',
  score: { mean: 0.5, count: 2 },
  errors: 1,
  user: '=ada',
  tags: ['a', 'b'],
  metadata: { tier: 'gold' },
};

test('a run is a line of CSV, quoted where needed, and no text of it is a formula', () => {
  expect(csvHead.split(',')).toHaveLength(31);
  expect(csvRow(run)).toBe(
    `r,completed,lead,"'=HYPERLINK(""x"")\nand more",,"P, ""the"" project",p,c,callboard,1970-01-01T00:00:00.000Z,` +
      `1970-01-01T00:00:01.000Z,1970-01-01T00:00:01.250Z,250,10,5,0,,t,,,,,,ada@example.org,,0.5,2,1,'=ada,"a, b","{""tier"":""gold""}"\r\n`,
  );
});
