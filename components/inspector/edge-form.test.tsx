import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { ProjectContext } from '@/components/editor-state/project-context';
import { CommandsContext } from '@/components/editor-state/use-commands';
import { folderOf } from '@/lib/cards/files';
import { createCommands } from '@/lib/editor/commands';
import { textAt } from '@/lib/editor/document';
import { createProjectStore } from '@/lib/editor/project-store';
import { createOverlayStore } from '@/lib/editor/run-overlay';
import { createRunSession } from '@/lib/editor/run-session';
import { delegationGroups } from './delegation-options';
import { EdgeForm } from './edge-form';

const labels = delegationGroups.flatMap(({ fields }) => fields.map(({ label }) => label));

function open() {
  const folder = folderOf({
    'lead.md': '---\nname: lead\nagents: [flow]\n---\n',
    'flow.md': '---\nname: flow\ntype: chain\nsequence: [a, b, c]\n---\n',
    'a.md': '---\nname: a\n---\n',
    'b.md': '---\nname: b\n---\n',
    'c.md': '---\nname: c\n---\n',
  });
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
  return { project, commands: createCommands(project, run, () => {}) };
}

/** The options that the panel of an edge offers, by their labels. */
function offered({ project, commands }: ReturnType<typeof open>, source: string, target: string): string[] {
  const edge = project.store
    .getState()
    .picture.graph.edges.find((one) => one.source === `agent:${source}` && one.target === `agent:${target}`);
  if (edge === undefined) throw new Error('There is no such edge.');
  const markup = renderToStaticMarkup(
    <ProjectContext value={project}>
      <CommandsContext value={commands}>
        <EdgeForm edge={edge} />
      </CommandsContext>
    </ProjectContext>,
  );
  return labels.filter((label) => markup.includes(`>${label}<`));
}

it('the first and the last step of a workflow have their schemas, and a schema that is written shows', () => {
  const editor = open();
  expect(offered(editor, 'flow', 'a')).toContain('Input schema');
  expect(offered(editor, 'flow', 'b')).not.toContain('Input schema');
  expect(offered(editor, 'flow', 'c')).toContain('Output schema');
  // A step gets its message as it is.
  expect(offered(editor, 'flow', 'b')).toContain('Max attempts');
  expect(offered(editor, 'flow', 'b')).not.toContain('Input mode');
  expect(offered(editor, 'lead', 'flow')).toContain('Tool name');

  editor.commands.setDelegation('flow', 'a', ['input_schema'], { type: 'object' });
  const { document, picture } = editor.project.store.getState();
  expect(textAt(document.folder, 'callboard.yaml')).toContain('flow');
  expect(picture.drawn.settings.delegations.flow?.a).toEqual({ input_schema: { type: 'object' } });
  expect(picture.drawn.issues.filter(({ file }) => file === 'callboard.yaml')).toEqual([]);
});
