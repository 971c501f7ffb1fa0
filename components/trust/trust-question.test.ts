import { expect, test } from 'vitest';
import type { ProjectAccess } from '@/lib/base/project-access';
import type { TrustCommand } from '@/lib/client/project-trust';
import { refusalOf } from './trust-question';

const command: TrustCommand = {
  ...{ id: 'c', kind: 'stdio', name: 'files', command: 'npx', args: [], environment: [], usedBy: [] },
  ...{ status: 'new', note: '', warnings: [] },
};
const access = (rights: ProjectAccess['rights'], role: ProjectAccess['role']): ProjectAccess => ({
  ...{ rights, role, ask: 'ada@example.org', accounts: true },
});
const runner = access(['read', 'run'], 'runner');

test('people who may not confirm what a folder starts read whom to ask', () => {
  const trust = { commands: [], mayApprove: false };
  expect(refusalOf(runner, true, trust)).toBe(
    'You may not confirm what this project starts and calls. It needs the role admin, and yours is runner. Ask ada@example.org.',
  );
  expect(refusalOf(access(['read', 'run', 'edit', 'review', 'manage'], 'admin'), true, trust)).toBeUndefined();
  expect(refusalOf(runner, false, trust)).toBeUndefined();
});

test('runners ask administrators for a command, and viewers do not', () => {
  const trust = { commands: [command], mayApprove: false };
  expect(refusalOf(runner, false, trust)).toBeUndefined();
  expect(refusalOf(access(['read'], 'viewer'), false, trust)).toMatch(/^You may not start runs and tests/);
  expect(
    refusalOf(access(['read'], 'viewer'), false, { ...trust, commands: [{ ...command, status: 'approved' }] }),
  ).toBe(undefined);
});
