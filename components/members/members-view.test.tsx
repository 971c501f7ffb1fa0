import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { MemberServices } from './member-types';
import { MembersView, type MembersViewProps } from './members-view';

const ada = {
  userId: 'ada',
  name: 'Ada',
  email: 'ada@example.org',
  role: 'admin' as const,
  answers: true,
  isDeactivated: false,
};
const bo = { ...ada, userId: 'bo', name: 'Bo', email: 'bo@example.org', role: 'editor' as const, answers: false };

function open(given: Partial<MembersViewProps> = {}, answers: Partial<MemberServices> = {}) {
  const asked: unknown[] = [];
  const note =
    (name: string) =>
    async (...input: readonly unknown[]) => {
      asked.push([name, ...input]);
      return undefined;
    };
  const services: MemberServices = {
    invite: async () => ({ link: '/invite/once' }),
    change: note('change'),
    remove: note('remove'),
    takeBack: note('takeBack'),
    ...answers,
  };
  const props = { members: [ada, bo], administrators: [], invitations: [], whyNot: undefined, self: 'ada' };
  render(<MembersView {...props} services={services} {...given} />);
  return asked;
}

it('removes a person only after the question was confirmed', async () => {
  const asked = open();
  fireEvent.click(screen.getByRole('button', { name: 'Remove Bo' }));
  const question = screen.getByRole('alertdialog', { name: 'Remove Bo?' });
  expect(asked).toEqual([]);
  fireEvent.click(within(question).getByRole('button', { name: 'Remove person' }));
  await waitFor(() => expect(asked).toEqual([['remove', 'bo']]));
});

it('asks a person who leaves in other words', () => {
  open();
  fireEvent.click(screen.getByRole('button', { name: 'Leave this project' }));
  expect(screen.getByRole('alertdialog', { name: 'Leave this project?' }).textContent).toContain(
    'You can no longer open the project.',
  );
});

it('says why a change was refused, and changes only what was chosen', async () => {
  const asked: unknown[] = [];
  open(
    {},
    {
      change: async (...input) => {
        asked.push(input);
        return 'A project needs an admin.';
      },
    },
  );
  fireEvent.click(screen.getByRole('checkbox', { name: 'Bo answers questions' }));
  expect((await screen.findByRole('alert')).textContent).toBe('A project needs an admin.');
  expect(asked).toEqual([['bo', { role: 'editor', answers: true }]]);
});

it('offers nothing to those who may change nothing, and says why', () => {
  open({ whyNot: 'Ask Ada.', invitations: undefined });
  expect(screen.getByText('Ask Ada.')).toBeTruthy();
  expect(screen.queryAllByRole('button')).toEqual([]);
  expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    'Ada (you) ada@example.orgadmin, answers questions',
    'Bo bo@example.orgeditor',
  ]);
});
