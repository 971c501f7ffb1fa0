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
  const files: unknown[] = [];
  const trustOf = (now: readonly TrustCommand[]): ProjectTrust => ({
    ...{ state: 'unconfirmed', hash: 'h', items: [], models: [], commands: now, mayApprove },
  });
  const services = {
    async readTrust(tree?: string) {
      files.push(tree);
      return { ok: true as const, trust: trustOf(commands) };
    },
    async askCommands(approve: readonly string[] | undefined, tree?: string) {
      files.push(tree);
      asked.push(approve);
      const status = approve === undefined ? 'asked' : 'approved';
      return { ok: true as const, trust: trustOf(commands.map((each) => ({ ...each, status }))) };
    },
  };
  return { services, asked, files };
}

it('asks an administrator once, and then says that somebody was asked', async () => {
  const { services, asked } = serve([command('time', 'new'), command('mail', 'approved')], false);
  render(<AskApproval services={services} files={undefined} then="run" onApproved={() => {}} />);
  const waiting = await screen.findByRole('region', { name: 'Needs an administrator' });
  expect(waiting.textContent).toContain('time');
  expect(waiting.textContent).not.toContain('mail');
  fireEvent.click(screen.getByRole('button', { name: 'Ask an administrator' }));
  expect((await screen.findByRole('status')).textContent).toContain('An administrator was asked.');
  expect(asked).toEqual([undefined]);
});

it('lets an administrator approve exactly what is listed, and then goes on', async () => {
  const { services, asked } = serve([command('time', 'asked'), command('mail', 'denied')], true);
  let goesOn = 0;
  const fault = { message: 'Not approved.', isUnapproved: true, files: 'tree' };
  render(<StartFaultText fault={fault} services={services} onApproved={() => (goesOn += 1)} />);
  fireEvent.click(await screen.findByRole('button', { name: 'Approve and run' }));
  expect(await screen.findByText('Nothing waits for an approval any more. Try again.')).toBeTruthy();
  expect(asked).toEqual([['time', 'mail']]);
  expect(goesOn).toBe(1);
});

it('reads and asks for the files of the refused start', async () => {
  const { services, asked, files } = serve([command('time', 'new')], false);
  const fault = { message: 'Not approved.', isUnapproved: true, files: 'tree' };
  render(<StartFaultText fault={fault} services={services} onApproved={() => {}} />);
  fireEvent.click(await screen.findByRole('button', { name: 'Ask an administrator' }));
  await screen.findByRole('status');
  expect(files).toEqual(['tree', 'tree']);
  expect(asked).toEqual([undefined]);
});

it('asks only where a start was refused for lack of an approval', () => {
  const { services } = serve([command('time', 'new')], false);
  const fault = { message: 'The disk is full.', isUnapproved: false };
  render(<StartFaultText fault={fault} services={services} onApproved={() => {}} />);
  expect(screen.getByText('The disk is full.')).toBeTruthy();
  expect(screen.queryByText('Reading what waits…')).toBeNull();
});
