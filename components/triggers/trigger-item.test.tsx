import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { TriggerItem, type TriggerItemProps } from './trigger-item';
import type { ShownTrigger } from './trigger-types';

const now = Date.UTC(2026, 0, 5, 8);
const hourly: ShownTrigger = {
  ...{ id: 't1', kind: 'schedule', name: 'Hourly', target: { label: 'live' }, message: 'Go', stopAfter: 5, now },
  ...{ schedule: { cron: '0 * * * *', zone: 'Etc/UTC' }, next: [now + 3_600_000], failures: 0, enabled: true },
  ...{ firings: [], by: 'Ada', createdAt: now },
};

function open(trigger: ShownTrigger, rest: Partial<TriggerItemProps> = {}) {
  const done: string[] = [];
  const note = (what: string) => async () => void done.push(what);
  render(
    <ul>
      <TriggerItem
        {...{ project: 'desk', trigger, origin: 'https://callboard.example', mayChange: true, mayRun: true }}
        onRun={note('run')}
        onSwitch={async (enabled) => void done.push(`switch ${enabled}`)}
        onEdit={note('edit')}
        onRenew={note('renew')}
        onRemove={note('remove')}
        {...rest}
      />
    </ul>,
  );
  return done;
}

it('is paused, and deleted only after the question', async () => {
  const done = open(hourly);
  fireEvent.click(screen.getByRole('button', { name: 'Pause Hourly' }));
  await waitFor(() => expect(done).toEqual(['switch false']));
  fireEvent.click(screen.getByRole('button', { name: 'Delete Hourly' }));
  const question = screen.getByRole('alertdialog', { name: 'Delete Hourly?' });
  fireEvent.click(within(question).getByRole('button', { name: 'Delete trigger' }));
  expect(done).toEqual(['switch false', 'remove']);
});

it('says why it was switched off, and offers to switch it on', () => {
  open({ ...hourly, enabled: false, failures: 5, stoppedBecause: 'The provider answered 500.', next: [] });
  const item = screen.getByRole('listitem', { name: 'Hourly' });
  expect(item.textContent).toContain('after 5 failures in a row. The last one: The provider answered 500.');
  expect(screen.getByRole('button', { name: 'Switch on Hourly' })).toBeTruthy();
});

it('shows the address of a webhook and never a secret; those who only look get no buttons', () => {
  const hook = {
    ...hourly,
    kind: 'webhook' as const,
    name: 'Orders',
    schedule: undefined,
    next: [],
    hook: '/v1/hooks/abc',
  };
  open(hook, { mayChange: false, mayRun: false });
  expect(screen.getByText('POST https://callboard.example/v1/hooks/abc')).toBeTruthy();
  expect(screen.getAllByRole('button').map((button) => button.getAttribute('aria-label'))).toEqual([
    'Copy the address of Orders',
  ]);
});
