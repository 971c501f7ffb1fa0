import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { createCommands } from './commands';
import { followRenames } from './follow-renames';
import { createProjectStore } from './project-store';
import { createOverlayStore } from './run-overlay';
import { createRunSession } from './run-session';

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
  const services = { startRun: async () => ({ ok: true, runId: 'r' }) as const, stopRun: async () => undefined };
  const run = createRunSession(services, createOverlayStore(), async () => true);
  const commands = createCommands(project, run, () => undefined);
  return { project, run, commands };
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

test('the next run does not begin at a deleted agent, which is not left out any more', () => {
  const { run, commands } = open();
  run.actions.set({
    agent: 'helper',
    leftOut: [
      { kind: 'agent', name: 'helper' },
      { kind: 'server', name: 'time' },
    ],
  });
  commands.remove(['agent:helper']);
  expect(run.store.getState()).toMatchObject({ agent: undefined, leftOut: [{ kind: 'server', name: 'time' }] });
});
