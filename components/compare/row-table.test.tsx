import { fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { firstSort } from '@/lib/trace/compare/sort-rows';
import { RowTable } from './row-table';

function Table() {
  const [sort, setSort] = useState(firstSort('order'));
  return <RowTable label="Instances" rows={[]} sort={sort} onSort={setSort} marked={undefined} onPick={() => {}} />;
}

it('sorts by a title, then the other way round, then as the timelines are', () => {
  render(<Table />);
  const directionsAfterClicks = (word: string) =>
    [1, 2, 3].map(() => {
      fireEvent.click(screen.getByRole('button', { name: word }));
      return screen.getByRole('columnheader', { name: word }).getAttribute('aria-sort');
    });
  expect(directionsAfterClicks('Δ Time')).toEqual(['descending', 'ascending', 'none']);
  expect(directionsAfterClicks('Name')).toEqual(['ascending', 'descending', 'none']);
});
