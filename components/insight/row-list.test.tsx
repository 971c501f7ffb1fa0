import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { RowList } from './row-list';
import { ShareBar } from './share-bar';

it('renders few rows of many, and is walked and picked by keys', () => {
  const picked: number[] = [];
  render(
    <RowList
      {...{ label: 'Calls', count: 10_000, header: null, columns: '' }}
      keyOf={(row) => row}
      onPick={(row) => picked.push(row)}
    >
      {(row) => `call ${row}`}
    </RowList>,
  );
  const grid = screen.getByRole('grid', { name: 'Calls' });
  expect(grid.getAttribute('aria-rowcount')).toBe('10001');
  const rows = screen.getAllByRole('row');
  expect(rows.length).toBeLessThan(100);
  fireEvent.keyDown(grid, { key: 'ArrowDown' });
  const focusable = () => grid.querySelector('[tabindex="0"]');
  expect(focusable()?.textContent).toBe('call 1');
  fireEvent.keyDown(focusable() ?? grid, { key: 'Enter' });
  expect(picked).toEqual([1]);
});

it('divides a time into shares that together are the whole', () => {
  const part = (key: string, time: number) => ({ key, time, word: key, colour: '', title: '' });
  render(<ShareBar title="Whole run" parts={[part('model', 3_000_000), part('tool', 1_000_000), part('hook', 0)]} />);
  expect(screen.getAllByRole('definition').map((each) => each.textContent)).toEqual(['3.00 s 75 %', '1.00 s 25 %']);
  expect(screen.getByRole('heading').textContent).toContain('4.00 s');
});
