import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { RollBackDialog } from './roll-back-dialog';

type Services = Parameters<typeof RollBackDialog>[0]['services'];

function open(checkRollBack: Services['checkRollBack']) {
  const done: string[] = [];
  const services = { checkRollBack };
  render(
    <RollBackDialog services={services} onClose={() => done.push('closed')} onConfirm={() => done.push('confirmed')} />,
  );
  return done;
}

it('names the revision that becomes live before it is confirmed', async () => {
  const done = open(async () => ({ ok: true, value: { revision: 3, warnings: [] } }));
  await screen.findByText(/^Revision 3, which was live before/);
  fireEvent.click(screen.getByRole('button', { name: 'Roll back' }));
  expect(done).toEqual(['confirmed']);
});

it('lists the rules that its runs would break, and asks in other words', async () => {
  open(async () => ({ ok: true, value: { revision: 3, warnings: ["The rule 'Guarded' is broken."] } }));
  expect((await screen.findByRole('list', { name: 'Broken rules' })).textContent).toBe("The rule 'Guarded' is broken.");
  expect(screen.getByRole('button', { name: 'Roll back nevertheless' })).toBeTruthy();
});

it('goes nowhere before the answer is there', () => {
  const done = open(() => new Promise(() => {}));
  fireEvent.click(screen.getByRole('button', { name: /^Roll back/ }));
  expect(done).toEqual([]);
});

it('says why it could not be checked', async () => {
  open(async () => ({ ok: false, code: 'unavailable', message: 'The database is away.' }));
  expect(await screen.findByText('The database is away.')).toBeTruthy();
});
