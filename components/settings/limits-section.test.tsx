import { fireEvent, render, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { noBudget, noRunLimits } from '@/lib/base/limits';
import type { CommonLimits, LimitServices, LimitsState } from './limit-types';
import { LimitsSection } from './limits-section';

const state: LimitsState = {
  runs: { ...noRunLimits, longestMs: 86_400_000 },
  disk: {
    bytesPerProject: 5_000_000_000,
    largest: [
      { id: 'p', name: 'Poems', bytes: 4_200_000_000 },
      { id: 'q', name: 'Quotes', bytes: 3_000_000 },
    ],
  },
  budget: noBudget,
  projects: [],
  administers: true,
};

function shown(first: LimitsState): readonly CommonLimits[] {
  const saved: CommonLimits[] = [];
  const services: LimitServices = {
    saveLimits: async (limits) => {
      saved.push(limits);
      return { ...first, ...limits, disk: { ...first.disk, ...limits.disk } };
    },
    saveBudget: async () => first,
    findProjects: async () => ({ projects: [] }),
  };
  render(<LimitsSection first={first} services={services} />);
  return saved;
}

const form = (name: string) => within(screen.getByRole('form', { name: `Limits: ${name}` }));

it('shows the projects that hold most, and warns of those that are nearly full', () => {
  shown(state);
  const items = form('Disk').getAllByRole('listitem');
  expect(items.map(({ textContent }) => textContent)).toEqual(['Poems4.2 GB', 'Quotes3 MB']);
  form('Disk').getByText('Poems holds 4.2 GB of 5 GB.');
});

it('an administrator sets how much a project may hold, and leaves the other limits', async () => {
  const saved = shown(state);
  fireEvent.change(form('Disk').getByLabelText('GB per project'), { target: { value: '0.5' } });
  fireEvent.click(form('Disk').getByRole('button', { name: 'Save' }));
  await screen.findByDisplayValue('0.5');
  expect(saved).toEqual([{ runs: state.runs, budget: noBudget, disk: { bytesPerProject: 500_000_000 } }]);
  await form('Disk').findByText('Poems holds 4.2 GB of 500 MB.');
});

it('an administrator sets the longest time of a run in hours, and no limit with an empty field', async () => {
  const saved = shown(state);
  const hours = () => form('Runs').getByLabelText('Hours of a run');
  fireEvent.change(hours(), { target: { value: '1.5' } });
  fireEvent.click(form('Runs').getByRole('button', { name: 'Save' }));
  await screen.findByDisplayValue('1.5');
  fireEvent.change(hours(), { target: { value: '' } });
  fireEvent.click(form('Runs').getByRole('button', { name: 'Save' }));
  await expect.poll(() => saved.map(({ runs }) => runs.longestMs)).toEqual([5_400_000, null]);
});

it('others see the limits and cannot change them', () => {
  shown({ ...state, administers: false });
  expect(form('Disk').queryByRole('button')).toBeNull();
  expect(form('Disk').getByLabelText('GB per project')).toHaveProperty('disabled', true);
});
