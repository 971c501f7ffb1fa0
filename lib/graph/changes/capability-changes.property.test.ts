import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Json } from '@/lib/base/json';
import { folderOf } from '@/lib/cards/files';
import type { FolderFile } from '@/lib/cards/folder';
import { readFolder } from '@/lib/cards/project/read-folder';
import { addAgent, addServer, type Command, renameAgent, setDelegation, setField } from '@/lib/graph/commands';
import { projectGraph } from '@/lib/graph/project';
import { removeNodes } from '@/lib/graph/removal';
import { connect, disconnect } from '@/lib/graph/wires';
import { allowWorker } from '@/lib/graph/worker-edits';
import { previewSurface } from '@/lib/runtime/surface/surface-preview';
import { reviewFolder } from '@/lib/testing/review-folder';
import { tries } from '@/lib/testing/tries';
import { capabilityChanges } from './capability-changes';
import type { ReadProject } from './project-side';

const base = projectOf(folderOf(reviewFolder));
const graph = projectGraph(base.parsed);
const nodes = graph.nodes.map(({ id }) => id);
const agents = ['lead', 'writer', 'critic', 'mailer'];

function projectOf(folder: ReadProject['folder']): ReadProject {
  return { folder, parsed: readFolder(folder) };
}

const patterns = fc.subarray(['read_file', 'list_*', 'delete_?', '*', 'write']);
const fields: fc.Arbitrary<readonly [readonly string[], Json]> = fc.oneof(
  fc.tuple(fc.constant(['servers']), fc.subarray(['files', 'web', 'mail'])),
  fc.tuple(fc.constantFrom(['tools', 'files'], ['tools', 'web'], ['tools', 'mail']), patterns),
  fc.tuple(fc.constant(['agents']), fc.subarray(['critic', 'mailer', 'partner', 'flow'])),
  fc.tuple(fc.constant(['function_tools']), fc.subarray(['../code/tools.py:add', '../code/tools.py:subtract'])),
  fc.tuple(fc.constantFrom(['shell'], ['human_input']), fc.boolean()),
  fc.tuple(fc.constant(['skills']), fc.subarray(['skills/pdf'])),
  fc.tuple(fc.constant(['tool_input_schema']), fc.constant({ type: 'object', properties: { a: { type: 'string' } } })),
);
const options: fc.Arbitrary<readonly [string, Json]> = fc.oneof(
  fc.tuple(fc.constant('tool_name'), fc.constantFrom('ask', 'agent__writer', 'help')),
  fc.tuple(fc.constant('input_schema'), fc.constant({ type: 'object', properties: { b: { type: 'number' } } })),
  fc.tuple(fc.constant('input_mode'), fc.constantFrom('text_json', 'request', 'message', 'schema')),
  fc.tuple(fc.constant('session'), fc.constantFrom('none', 'addressed', 'reuse')),
  fc.tuple(fc.constant('attachments'), fc.constantFrom({ max: 0 }, { max: 4 }, { max: 9 })),
  fc.tuple(fc.constant('recursive'), fc.boolean()),
);
const { folder, parsed } = base;

/** One edit as the canvas and the inspector make them. */
const commands: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom(...agents), fields)
      .map(([agent, [path, value]]) => setField(folder, parsed, agent, path, value)),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom('writer', 'critic'), options)
      .map(([child, [option, value]]) => setDelegation(folder, parsed, { parent: 'lead', child }, option, value)),
  },
  fc
    .tuple(fc.constantFrom(...nodes), fc.constantFrom(...nodes))
    .map(([from, to]) => connect(folder, parsed, graph, from, to)),
  fc
    .tuple(fc.constantFrom(...nodes), fc.constantFrom(...nodes))
    .map(([from, to]) => allowWorker(folder, parsed, graph, from, to)),
  fc.constantFrom(...graph.edges.map(({ id }) => id)).map((edge) => disconnect(folder, parsed, graph, edge)),
  fc.constantFrom(...nodes).map((node) => removeNodes(folder, parsed, graph, [node])),
  fc.constantFrom(...agents).map((agent) => renameAgent(folder, agent, `${agent}_2`)),
  fc.constant(addServer(folder, parsed, { name: 'extra', command: 'npx', args: ['-y', 'extra'] })),
  fc.constant(addAgent(folder, parsed, { name: 'extra' })),
);

function applied(command: Command): ReadProject | undefined {
  if (!command.ok) return undefined;
  const next = new Map<string, FolderFile>(folder);
  for (const [path, text] of command.value) {
    if (text === null) next.delete(path);
    else next.set(path, { kind: 'text', text });
  }
  return projectOf(next);
}

/** The tools that each agent's model is offered, without their descriptions. */
function surfaces(project: ReadProject): string {
  const listings = Object.fromEntries(
    Object.entries(listed).map(([server, prints]) => [
      server,
      { tools: Object.keys(prints).map((name) => ({ name, inputSchema: {} })) },
    ]),
  );
  return JSON.stringify(
    project.parsed.cards.flatMap((card) =>
      card.type === 'agent'
        ? [
            [
              card.name,
              previewSurface(project.parsed, project.folder, card, listings)
                .tools.map(({ name, inputSchema, hiddenIn }) => [name, inputSchema, hiddenIn])
                .sort(),
            ],
          ]
        : [],
    ),
  );
}

const listed = {
  files: { read_file: '1', list_old: '2', delete_x: '3' },
  web: { search: '4 reads', write: '5' },
  mail: { send_mail: '6', delete: '7' },
};

it('the summary reports every edit that changes what the model of an agent is offered', () => {
  const old = surfaces(base);
  fc.assert(
    fc.property(commands, (command) => {
      const after = applied(command);
      if (after === undefined || surfaces(after) === old) return;
      expect(capabilityChanges(base, after, { before: listed, after: listed })).not.toEqual([]);
    }),
    { numRuns: tries(150) },
  );
});

it('the summary is empty between a folder and itself, and mirrors every weight when the sides are swapped', () => {
  fc.assert(
    fc.property(commands, (command) => {
      const after = applied(command);
      if (after === undefined) return;
      expect(capabilityChanges(after, after)).toEqual([]);
      const since = {
        files: { read_file: '1', list_old: '8', delete_x: '3 reads' },
        web: listed.web,
        mail: { send_mail: '6 reads', more: '9' },
      };
      const [there, back] = [
        capabilityChanges(base, after, { before: listed, after: since }),
        capabilityChanges(after, base, { before: since, after: listed }),
      ];
      const count = (list: typeof there) =>
        ['more', 'same-but-different', 'less'].map((weight) => list.filter((one) => one.weight === weight).length);
      expect(count(back)).toEqual(count(there).toReversed());
    }),
    { numRuns: tries(100) },
  );
});
