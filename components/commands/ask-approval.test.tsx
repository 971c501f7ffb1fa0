import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { ProjectTrust, TrustCommand } from '@/lib/client/project-trust';
import { AskApproval, StartFaultText } from './ask-approval';

const command = (id: string, status: TrustCommand['status']): TrustCommand => ({
  ...{ id, status, kind: 'stdio', name: id, command: 'node', args: [`${id}.mjs`], environment: [] },
  ...{ usedBy: ['lead'], note: '', warnings: [] },
});

/** Serves a folder with these commands. What is asked or approved is noted, and answered as the server does. */
function serve(commands: readonly TrustCommand[], mayApprove: boolean) {
  const asked: unknown[] = [];
  const trustOf = (now: readonly TrustCommand[]): ProjectTrust => ({
    ...{ state: 'unconfirmed', hash: 'h', items: [], models: [], commands: now, mayApprove },
  });
  const services = {
    readTrust: async () => ({ ok: true as const, trust: trustOf(commands) }),
    async askCommands(approve: readonly string[] | undefined) {
      asked.push(approve);
      const status = approve === undefined ? 'asked' : 'approved';
      return { ok: true as const, trust: trustOf(commands.map((each) => ({ ...each, status }))) };
    },
  };
  return { services, asked };
}

it('asks an administrator once, and then says that somebody was asked', async () => {
  const { services, asked } = serve([command('time', 'new'), command('mail', 'approved')], false);
  render(<AskApproval services={services} />);
  const waiting = await screen.findByRole('region', { name: 'Needs an administrator' });
  expect(waiting.textContent).toContain('time');
  expect(waiting.textContent).not.toContain('mail');
  fireEvent.click(screen.getByRole('button', { name: 'Ask an administrator' }));
  expect((await screen.findByRole('status')).textContent).toContain('An administrator was asked.');
  expect(asked).toEqual([undefined]);
});

it('lets an administrator approve exactly what is listed', async () => {
  const { services, asked } = serve([command('time', 'asked'), command('mail', 'denied')], true);
  render(<AskApproval services={services} />);
  fireEvent.click(await screen.findByRole('button', { name: 'Approve' }));
  expect(await screen.findByText(/^Nothing of the files as they are now waits/)).toBeTruthy();
  expect(asked).toEqual([['time', 'mail']]);
});

it('asks only where a start was refused for lack of an approval', () => {
  const { services } = serve([command('time', 'new')], false);
  render(<StartFaultText fault={{ message: 'The disk is full.', isUnapproved: false }} services={services} />);
  expect(screen.getByText('The disk is full.')).toBeTruthy();
  expect(screen.queryByText('Reading what waits…')).toBeNull();
});
