import { expect, test } from 'vitest';
import type { LeftOut } from '@/lib/base/left-out';
import { folderOf } from '@/lib/cards/files';
import { createCommands } from './commands';
import { followRenames } from './follow-renames';
import { createProjectStore } from './project-store';
import { createOverlayStore } from './run-overlay';
import { createRunSession } from './run-session';
import type { RunInput } from './services';

function open() {
  const folder = folderOf({
    'agent-cards/lead.md': '---\nname: lead\nagents: [helper]\nservers: [time]\n---\nLead.\n',
    'agent-cards/helper.md': '---\nname: helper\n---\nHelp.\n',
    'fast-agent.yaml': 'mcp:\n  servers:\n    time: { command: node }\n',
  });
  const project = createProjectStore(
    { projectId: 'p', name: 'P', saved: { version: 1, folder }, layoutPoints: {} },
    {
      save: async (version) => ({ kind: 'saved', version: version + 1 }),
      now: () => 0,
      nextFrame: (work) => work(),
      tryReading: async () => undefined,
    },
  );
  const started: RunInput[] = [];
  const services = {
    startRun: async (input: RunInput) => {
      started.push(input);
      return { ok: true, runId: 'r' } as const;
    },
    stopRun: async () => undefined,
  };
  const now = () => project.store.getState().picture.drawn;
  const run = createRunSession(services, createOverlayStore(), async () => true, { message: 'go' }, undefined, now);
  const commands = createCommands(project, run, () => undefined);
  return { project, run, commands, started };
}

test('the chosen agent and what is left out follow a rename, and its undo', () => {
  const { project, run, commands } = open();
  const stop = followRenames(project, run);
  run.actions.set({
    agent: 'helper',
    leftOut: [
      { kind: 'agent', name: 'helper' },
      { kind: 'server', name: 'time' },
      { kind: 'tool', server: 'time', name: 'now' },
    ],
  });
  const shown = () => {
    const { agent, leftOut } = run.store.getState();
    return [agent, ...leftOut.map((one) => (one.kind === 'tool' ? `${one.server}__${one.name}` : one.name))];
  };
  commands.rename('helper', 'aide');
  commands.renameServer('time', 'clock');
  expect(shown()).toEqual(['aide', 'aide', 'clock', 'clock__now']);
  project.actions.undo();
  project.actions.undo();
  expect(shown()).toEqual(['helper', 'helper', 'time', 'time__now']);
  stop();
  commands.rename('helper', 'aide');
  expect(shown()[0]).toBe('helper');
});

test('a deleted agent, and a tool of a deleted server, wait for the undo and are not named by runs until then', async () => {
  const { project, run, commands, started } = open();
  const helper: LeftOut = { kind: 'agent', name: 'helper' };
  const tool: LeftOut = { kind: 'tool', server: 'time', name: 'now' };
  run.actions.set({ agent: 'helper', leftOut: [tool] });
  commands.remove(['agent:helper', 'server:time']);
  await run.actions.start();
  project.actions.undo();
  await run.actions.start();
  run.actions.set({ agent: undefined, leftOut: [helper, tool] });
  commands.remove(['agent:helper']);
  await run.actions.start();
  project.actions.undo();
  await run.actions.start();
  expect(started.map(({ agent, leftOut }) => ({ agent, leftOut }))).toEqual([
    { agent: undefined, leftOut: undefined },
    { agent: 'helper', leftOut: [tool] },
    { agent: undefined, leftOut: [tool] },
    { agent: undefined, leftOut: [helper, tool] },
  ]);
});
