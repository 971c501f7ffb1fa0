import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { RunInfo } from '@/lib/client/run-info';
import { noUsage } from '@/lib/runtime/record/messages';
import { RunList } from './run-list';

function run(id: string, startedBy?: string): RunInfo {
  return {
    ...{
      id,
      projectId: 'p',
      projectName: 'P',
      status: 'completed',
      entryAgent: 'lead',
      message: 'Go',
      model: undefined,
    },
    ...{ correlationId: id, source: 'callboard', scripted: false, createdAt: 0, startedAt: 0, finishedAt: 0 },
    ...{ answer: undefined, error: undefined, usage: noUsage, modelUsage: undefined, treeHash: 't' },
    ...(startedBy !== undefined && { startedBy }),
  };
}

/** Returns who is named in the rows of a list of these runs. */
function named(...runs: readonly RunInfo[]): readonly (string | undefined)[] {
  const groups = runs.map((one) => ({ correlationId: one.id, runCount: 1, runs: [one] }));
  const html = renderToStaticMarkup(<RunList {...{ groups }} now={0} chosen={new Set()} onChoose={() => undefined} />);
  return [...html.matchAll(/title="Started by ([^"]*)"/g)].map(([, name]) => name);
}

test('rows say who started them as soon as somebody with an account did', () => {
  expect(named(run('a', 'local'), run('b'))).toEqual([]);
  expect(named(run('a', 'local'), run('b', 'ada@example.org'), run('c'))).toEqual(['local', 'ada@example.org']);
});

test('a row has the mean of the scores of its run, and how many they are', () => {
  const scored = { ...run('a'), score: { mean: 2 / 3, count: 3 } };
  const groups = [{ correlationId: 'a', runCount: 1, runs: [scored] }];
  const html = renderToStaticMarkup(<RunList {...{ groups }} now={0} chosen={new Set()} onChoose={() => undefined} />);
  expect(html).toContain('title="Mean of 3 scores"');
  expect(html).toContain('Score </span>0.67');
});
