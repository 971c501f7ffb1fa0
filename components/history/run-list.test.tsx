import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { RunInfo } from '@/lib/client/run-info';
import { haveStarters } from '@/lib/client/run-info';
import { noUsage } from '@/lib/runtime/record/messages';
import type { RunColumn } from './run-columns';
import { RunList } from './run-list';

const usual: readonly RunColumn[] = ['project', 'duration'];
const columns = new Set(usual);

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
  const columns = new Set<RunColumn>(haveStarters(groups) ? [...usual, 'by'] : usual);
  const html = renderToStaticMarkup(
    <RunList {...{ groups }} now={0} chosen={new Set()} columns={columns} onChoose={() => undefined} />,
  );
  return [...html.matchAll(/title="Started by ([^"]*)"/g)].map(([, name]) => name);
}

test('rows say who started them as soon as somebody with an account did', () => {
  expect(named(run('a', 'local'), run('b'))).toEqual([]);
  expect(named(run('a', 'local'), run('b', 'ada@example.org'), run('c'))).toEqual(['local', 'ada@example.org']);
});

test('a row has the mean of the scores of its run, and how many they are', () => {
  const scored = { ...run('a'), score: { mean: 2 / 3, count: 3 } };
  const groups = [{ correlationId: 'a', runCount: 1, runs: [scored] }];
  const html = renderToStaticMarkup(
    <RunList {...{ groups }} now={0} chosen={new Set()} columns={columns} onChoose={() => undefined} />,
  );
  expect(html).toContain('title="Mean of 3 scores"');
  expect(html).toContain('Score </span>0.67');
});

test('a row has the cost that was recorded, also without tokens, and none where nothing was used', () => {
  const costOf = (recorded: number | undefined) => {
    const of = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, cacheWriteTokens: 0 };
    const usage = { ...noUsage, ...(recorded !== undefined && { recorded: { ...of, usd: recorded } }) };
    const used = { ...run('a'), usage, modelUsage: { 'gpt-5': usage } };
    const groups = [{ correlationId: 'a', runCount: 1, runs: [used] }];
    const html = renderToStaticMarkup(
      <RunList {...{ groups }} now={0} chosen={new Set()} columns={new Set(['cost'])} onChoose={() => undefined} />,
    );
    return /Cost <\/span>([^<]*)/.exec(html)?.[1];
  };
  expect(costOf(1.25)).toBe('$1.25');
  expect(costOf(undefined)).toBeUndefined();
});

test('a row has the chosen columns, and its widths are theirs', () => {
  const groups = [
    { correlationId: 'a', runCount: 1, runs: [{ ...run('a'), user: 'ada-7', errors: 2, waitedMs: 1_500 }] },
  ];
  const html = (chosen: readonly RunColumn[]) =>
    renderToStaticMarkup(
      <RunList {...{ groups }} now={0} chosen={new Set()} columns={new Set(chosen)} onChoose={() => undefined} />,
    );
  const all = html(['user', 'errors', 'waited']);
  for (const part of [
    'title="User ada-7"',
    'Errors </span>2',
    'Waited </span>1.50 s',
    '8rem minmax(9rem,1fr) minmax(0,8rem) 4rem 5rem 6.5rem',
  ])
    expect(all).toContain(part);
  expect(all).not.toContain('title="Duration"');
  expect(html([])).toContain('--wide:8rem minmax(9rem,1fr) 6.5rem');
});
