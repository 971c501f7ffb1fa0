import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { personGroups } from '@/lib/base/notices';
import { NoticeChoicesForm, type NoticeChoicesFormProps } from './notice-choices';

const choices = personGroups.map((group) => ({ group, inApp: true, mail: false }));
const boxes = () =>
  screen
    .getAllByRole('checkbox')
    .map((box) => box.getAttribute('aria-checked') ?? `${(box as HTMLInputElement).checked}`);

it('shows what the server answered after a choice', async () => {
  const onChoose: NoticeChoicesFormProps['onChoose'] = async (choice) => ({
    choices: choices.map((each) => (each.group === choice.group ? choice : each)),
    sendsMail: true,
  });
  render(<NoticeChoicesForm first={{ choices, sendsMail: true }} onChoose={onChoose} />);
  const before = boxes();
  const [first] = screen.getAllByRole('checkbox', { name: /here$/ });
  if (first === undefined) throw new Error('There is no choice');
  fireEvent.click(first);
  await expect.poll(boxes).toEqual(['false', ...before.slice(1)]);
});

it('keeps the choices and says why one was refused', async () => {
  const onChoose = async () => {
    throw new Error('Callboard does not answer.');
  };
  render(<NoticeChoicesForm first={{ choices, sendsMail: true }} onChoose={onChoose} />);
  const before = boxes();
  fireEvent.click(screen.getAllByRole('checkbox', { name: /by mail$/ })[0] ?? document.body);
  expect((await screen.findByRole('alert')).textContent).toBe('Callboard does not answer.');
  expect(boxes()).toEqual(before);
});

it('offers no mail where the installation sends none', () => {
  render(
    <NoticeChoicesForm
      first={{ choices, sendsMail: false }}
      onChoose={async (choice) => ({ choices: [choice], sendsMail: false })}
    />,
  );
  expect(screen.queryAllByRole('checkbox', { name: /by mail$/ })).toEqual([]);
  expect(screen.getAllByRole('checkbox')).toHaveLength(personGroups.length);
});
