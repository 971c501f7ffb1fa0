import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { OverlayContext } from '@/components/editor-state/overlay-context';
import { PartUsesContext } from '@/components/editor-state/part-uses-context';
import { ProjectContext } from '@/components/editor-state/project-context';
import { ServersContext } from '@/components/editor-state/servers-context';
import { CommandsContext } from '@/components/editor-state/use-commands';
import { HookList } from '@/components/hooks/hook-list';
import { HookRow } from '@/components/hooks/hook-row';
import { folderOf } from '@/lib/cards/files';
import { createCommands } from '@/lib/editor/commands';
import { createPartUses } from '@/lib/editor/part-uses';
import { createProjectStore } from '@/lib/editor/project-store';
import { createOverlayStore } from '@/lib/editor/run-overlay';
import { createRunSession } from '@/lib/editor/run-session';
import { createServerTests } from '@/lib/editor/server-tests';
import { beadRow } from '@/lib/graph/bead-row';
import { HookDetails } from './hook-details';

const folder = folderOf({
  'lead.md':
    '---\nname: lead\nagents: [kid]\ntool_hooks: [h.py:audit, h.py:gone]\nlifecycle_hooks: {on_start: h.py:begin}\n---\n',
  'kid.md': '---\nname: kid\n---\n',
  'h.py':
    'async def audit(ctx, args, call_next):\n    return await call_next(args)\n\n\nasync def begin(ctx):\n    pass\n',
  'callboard.yaml':
    'version: 1\nrun_hooks:\n  - log: {}\nagent_hooks:\n  lead:\n    - redact: {keys: [token], when: {tool: [a, b]}}\nhooks:\n  h.py:audit: {on_error: skip}\n',
});

function open() {
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
  const overlay = createOverlayStore();
  const commands = createCommands(
    project,
    createRunSession(services, overlay, async () => true),
    () => {},
  );
  const servers = createServerTests(
    {
      probeServer: async () => ({ ok: false, message: 'No server is asked here.' }),
      readServers: async () => ({}),
      tellServers: async () => ({ ok: true, known: {} }),
    },
    project,
    async () => true,
  );
  const markup = (content: ReactNode) =>
    renderToStaticMarkup(
      <ProjectContext value={project}>
        <PartUsesContext value={createPartUses(undefined, { name: 'main', version: () => 1 })}>
          <ServersContext value={servers}>
            <CommandsContext value={commands}>
              <OverlayContext value={overlay}>{content}</OverlayContext>
            </CommandsContext>
          </ServersContext>
        </PartUsesContext>
      </ProjectContext>,
    );
  const { graph } = project.store.getState().picture;
  const chain = graph.chains['agent:lead'] ?? [];
  const node = graph.nodes.find(({ id }) => id === 'agent:lead');
  if (node?.kind !== 'agent') throw new Error('There is no lead.');
  return { markup, chain, node };
}

/** The accessible names of the hooks, in their order. */
function hooksIn(markup: string): string[] {
  return [...markup.matchAll(/aria-label="(Hook (?:\d|on_)[^"]*)"/g)].map(([, label = '']) => label);
}

const all = [
  'Hook 1: log, of every agent',
  'Hook 2: redact result on a, b',
  'Hook 3: h.py:audit',
  'Hook 4: h.py:gone, missing',
  'Hook on_start: h.py:begin',
];

it('the wire and the inspector show the same chain, also hooks of callboard.yaml and of phases', () => {
  const { markup, chain, node } = open();
  const row = (room: number) => markup(<HookRow node={node} row={beadRow(chain, room)} selected offset={0} />);
  expect(hooksIn(row(800))).toEqual(all);
  expect(row(800)).toContain('aria-label="Add a hook before redact"');
  expect(hooksIn(row(160))).toEqual(all.slice(0, hooksIn(row(160)).length));
  expect(row(160)).toContain('more hooks of lead');
  expect(row(10)).toContain('aria-label="5 hooks of lead"');
  expect(hooksIn(markup(<HookList file="lead.md" agent="lead" />))).toEqual(all);
  const bare = { ...node, id: 'agent:kid', name: 'kid', file: 'kid.md' };
  expect(markup(<HookRow node={bare} row={beadRow([], 100)} selected offset={0} />)).toContain('aria-label="Add hook"');
});

it('each hook has a form with what it does, its parameters or its policy', () => {
  const { markup, chain } = open();
  const [log, redact, audit, gone, begin] = chain.map((entry) => markup(<HookDetails file="lead.md" entry={entry} />));
  expect(log).toContain('changes here count for every agent');
  for (const label of ['patterns', 'keys', 'in', 'replacement', 'Tools', 'Servers', 'Source']) {
    expect(redact).toContain(`>${label}<`);
  }
  expect(redact).toContain('value="a, b"');
  expect(audit).toContain('it is skipped.');
  expect(audit).toContain('>If it fails<');
  expect(gone).toContain('Create gone');
  expect(begin).toContain('>Phase<');
});
