import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { AccessContext } from '@/components/access/access-context';
import type { ProjectAccess } from '@/lib/base/project-access';
import type { RunInfo } from '@/lib/client/run-info';
import { noUsage } from '@/lib/runtime/record/messages';
import { ChooseRun } from './choose-run';

const beside: RunInfo = {
  ...{
    id: 'r',
    projectId: 'p',
    projectName: 'P',
    status: 'completed',
    entryAgent: 'lead',
    message: 'Go',
    model: undefined,
  },
  ...{ correlationId: 'c', source: 'callboard', scripted: false, createdAt: 0, startedAt: 0, finishedAt: 0 },
  ...{ answer: undefined, error: undefined, usage: noUsage, modelUsage: undefined, treeHash: 't' },
};
const approval = {
  readTrust: async () => ({ ok: false, message: '' }) as const,
  askCommands: async () => ({ ok: false, message: '' }) as const,
};

function shown(rights: ProjectAccess['rights'], role: ProjectAccess['role']): string {
  return renderToStaticMarkup(
    <AccessContext value={{ rights, role, ask: 'ada@example.org', accounts: true }}>
      <ChooseRun {...{ beside, approval }} onChoose={() => undefined} onStart={async () => undefined} />
    </AccessContext>,
  );
}

test('a comparison offers a new run to people who may start one, and tells others why not', () => {
  expect(shown(['read', 'run'], 'runner')).toContain('Run the current draft on this input');
  const viewer = shown(['read'], 'viewer');
  expect(viewer).not.toContain('Run the current draft on this input');
  expect(viewer).toContain(
    'You may not start runs and tests in this project. It needs the role runner, and yours is viewer. Ask ada@example.org.',
  );
});
