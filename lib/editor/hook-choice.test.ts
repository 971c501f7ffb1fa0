import { expect, test } from 'vitest';
import type { HookChoice } from '@/lib/base/hook-report';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { hookChain } from '@/lib/graph/hook-chain';
import { createCommands } from './commands';
import { hookChoiceOf } from './hook-choice';
import { createProjectStore } from './project-store';
import { createOverlayStore } from './run-overlay';
import { createRunSession } from './run-session';

const folder = folderOf({
  'lead.md': '---\nname: lead\ntool_hooks: [h.ts:a, h.ts:b]\nlifecycle_hooks: {on_start: h.ts:c}\n---\nGo.\n',
  'h.ts': 'export const [a, b, c] = [];\n',
  'callboard.yaml': 'version: 1\nrun_hooks: [{block: {}}]\nagent_hooks: {lead: [h.ts:a, {log: {}}]}\n',
});

test('each entry of a chain is told by its list and the place in it, or by its phase', () => {
  const parsed = readFolder(folder);
  const [lead] = parsed.cards;
  expect(lead && hookChain(lead, parsed).map(hookChoiceOf)).toEqual([
    { origin: 'run', index: 0 },
    { origin: 'agent settings', index: 0 },
    { origin: 'agent settings', index: 1 },
    { origin: 'card', index: 0 },
    { origin: 'card', index: 1 },
    { phase: 'on_start' },
  ]);
});

test('the command opens the bench for an agent, or for one entry of its chain', () => {
  const opened: (readonly [string, HookChoice | undefined])[] = [];
  const project = createProjectStore(
    { projectId: 'p', name: 'P', saved: { version: 1, folder }, layoutPoints: {} },
    {
      save: async (version) => ({ kind: 'saved', version }),
      now: () => 0,
      nextFrame: (work) => work(),
      tryReading: async () => undefined,
    },
  );
  const services = { startRun: async () => ({ ok: true, runId: 'r' }) as const, stopRun: async () => undefined };
  const run = createRunSession(services, createOverlayStore(), async () => true);
  const { openHookBench } = createCommands(project, run, () => {}, undefined, {
    hooks: { open: (...asked) => opened.push(asked) },
    tools: { open: () => undefined },
    known: () => ({}),
  });
  openHookBench('lead');
  openHookBench('lead', 'tool_hooks.1');
  openHookBench('lead', 'tool_hooks.7');
  expect(opened).toEqual([
    ['lead', undefined],
    ['lead', { origin: 'card', index: 1 }],
    ['lead', undefined],
  ]);
});
