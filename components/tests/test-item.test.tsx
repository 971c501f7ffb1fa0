import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { FixtureFinding, StoredFixtureResult } from '@/lib/base/fixture-result';
import { brandAs, type RunId, type TreeHash } from '@/lib/base/ids';
import { TestItem } from './test-item';
import { resultColumns } from './test-types';

const result = (name: string, treeHash: string, rest: Partial<StoredFixtureResult> = {}): StoredFixtureResult => ({
  ...{ name, mode: 'replay', status: 'passed', findings: [], at: 0, tookMs: 5 },
  ...{ runId: brandAs<RunId>(`${name}-run`), treeHash: brandAs<TreeHash>(treeHash) },
  ...rest,
});
const finding = (what: string, outcome: FixtureFinding['outcome']): FixtureFinding => ({
  ...{ what, outcome, expected: 'noon', got: 'midnight' },
});
const noon = { name: 'noon', description: 'Asks for noon.', message: 'Noon?', fault: undefined };

it('says what was not as expected, and only counts what was', () => {
  const findings = [finding('answer', 'failed'), finding('cost', 'passed'), finding('time', 'skipped')];
  render(<TestItem test={noon} result={result('noon', 't', { status: 'failed', findings })} onRun={undefined} />);
  const told = screen.getByRole('list', { name: 'What test noon found' });
  expect([...told.querySelectorAll('li > p')].map((line) => line.textContent)).toEqual([
    'answer, not as expected',
    'time, skipped',
  ]);
  expect(screen.getByText('1 as expected')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Run of noon' }).getAttribute('href')).toBe('/r/noon-run');
  expect(screen.queryByRole('button')).toBeNull();
});

it('is run, but not while it runs', () => {
  let runs = 0;
  const onRun = () => {
    runs += 1;
  };
  const { rerender } = render(<TestItem test={noon} result={undefined} onRun={onRun} />);
  fireEvent.click(screen.getByRole('button', { name: 'Run test noon' }));
  rerender(<TestItem test={noon} result={result('noon', 't', { status: 'running' })} onRun={onRun} />);
  fireEvent.click(screen.getByRole('button', { name: 'Run test noon' }));
  expect(runs).toBe(1);
});

it('stands first for the draft, also without a result, and then for each version of the files', () => {
  const columns = resultColumns('draft', [
    result('noon', 'old'),
    result('noon', 'older'),
    result('noon', 'old', { at: 9 }),
  ]);
  expect(columns.map(({ treeHash, byName }) => [treeHash, byName.get('noon')?.at])).toEqual([
    ['draft', undefined],
    ['old', 0],
    ['older', 0],
  ]);
});
