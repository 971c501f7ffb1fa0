'use client';

import { Canvas } from '@/components/canvas/canvas';
import { EditorProvider } from '@/components/editor/editor-provider';
import { textFile } from '@/lib/editor/document';
import type { EditorServices } from '@/lib/editor/services';

/** The project has each kind of node, edge and mark. Gestures work, but nothing can be saved or run. */

const card = (name: string, fields = '') => `---\nname: ${name}\n${fields}---\nDo your part.\n`;
const files = {
  'agent-cards/lead.md': card(
    'lead',
    'default: true\nmodel: sonnet\nagents: [steps, both, judge, nobody]\ntool_hooks:\n  before_tool_call: ../hooks.ts:check\n  after_tool_call: ../hooks.ts:note\n',
  ),
  'agent-cards/steps.md': card('steps', 'type: chain\nsequence: [writer, critic]\n'),
  'agent-cards/both.md': card('both', 'type: parallel\nfan_out: [writer, critic]\nfan_in: editor\n'),
  'agent-cards/judge.md': card('judge', 'type: evaluator_optimizer\ngenerator: writer\nevaluator: critic\n'),
  'agent-cards/writer.md': card('writer', 'servers: [time, gone]\n'),
  'agent-cards/critic.md': card('critic', 'function_tools: [../tools.ts:count]\n'),
  'agent-cards/editor.md': card('editor', 'human_input: true\n'),
  'hooks.ts': 'export const check = () => undefined;\nexport const note = () => undefined;\n',
  'tools.ts': 'export const count = (args: { text: string }) => args.text.length;\n',
  'fast-agent.yaml': 'mcp:\n  servers:\n    time: { command: node, args: [time.mjs] }\n',
};
const folder = new Map(Object.entries(files).map(([path, text]) => [path, textFile(text)]));

const rows = 110;
const layoutPoints = {
  'agent:lead': { x: 0, y: 1.5 * rows },
  'agent:steps': { x: 380, y: 0 },
  'agent:both': { x: 380, y: rows },
  'agent:judge': { x: 380, y: 2 * rows },
  'agent:nobody': { x: 380, y: 3 * rows },
  'agent:writer': { x: 740, y: 0.5 * rows },
  'agent:critic': { x: 740, y: 1.5 * rows },
  'agent:editor': { x: 740, y: 2.5 * rows },
  'server:time': { x: 1100, y: 0 },
  'server:gone': { x: 1100, y: 0.75 * rows },
  'function:tools.ts:count': { x: 1100, y: 1.5 * rows },
  'builtin:human_input': { x: 1100, y: 2.5 * rows },
};

const refusal = 'This is a preview: there is no project behind it.';
const services: EditorServices = {
  save: async () => ({ kind: 'failed', message: refusal }),
  uploadBytes: async () => ({ ok: false, message: refusal }),
  newerThan: async () => undefined,
  startRun: async () => ({ ok: false, message: refusal }),
  stopRun: async () => refusal,
  probeServer: async () => ({ ok: false, message: refusal }),
  readServers: async () => undefined,
  tellServers: async () => ({ ok: false, again: false }),
  runHooks: async () => ({ ok: false, message: refusal }),
  tryTool: async () => ({ ok: false, message: refusal }),
  readTrust: async () => ({ ok: false, message: refusal }),
  askCommands: async () => ({ ok: false, message: refusal }),
  confirmTrust: async () => ({ ok: false, message: refusal }),
};

export function GraphPreview() {
  return (
    <div className="overflow-x-auto rounded-lg border">
      <div className="h-112 min-w-4xl">
        <EditorProvider
          projectId="preview"
          name="Preview"
          version={1}
          folder={folder}
          layoutPoints={layoutPoints}
          services={services}
        >
          <Canvas />
        </EditorProvider>
      </div>
    </div>
  );
}
