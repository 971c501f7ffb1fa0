import type { Json } from '@/lib/base/json';
import { normaliseName } from '@/lib/cards/agent-name';
import type { DialectField, DialectNote } from '@/lib/cards/dialects/form/dialect';
import { giveTools, textsOf, wantedNames } from '@/lib/cards/dialects/form/tool-access';
import { handoffsIn, handoffsNote } from './handoffs';
import { modelHere } from './model-names';
import { hasEveryTool, namesIn, toolNames, toolWords, writeNames } from './tool-names';

/**
 * The fields of a custom agent of VS Code and Copilot (`.github/agents/*.agent.md`). Sources:
 * code.visualstudio.com/docs/agent-customization/custom-agents, *Header*, and
 * docs.github.com/copilot/reference/custom-agents-configuration.
 */
export const agentFields: readonly DialectField[] = [
  textField('name', 'the name of the agent; without it, the name of the file'),
  textField('description', 'what other agents read to choose whom to ask'),
  other('argument-hint', 'kept', 'it is a hint in the chat field of VS Code.'),
  {
    name: 'tools',
    use: 'works',
    why: 'tools of servers (`server/*`, `server/tool`), `execute` (the shell) and `agent` (calls others). An agent without this field has all servers of the project',
    gives: ['servers', 'tools', 'shell', 'agents'],
    read: (value, card, _, { servers }) => {
      if (hasEveryTool(value)) return;
      const names = toolNames(value, servers);
      giveTools(card, names);
      // The tool that calls agents gives a list of them, which may be empty. So an edit can tell that it is there.
      if (names.some(({ isAgentTool }) => isAgentTool)) card.agents = [];
    },
    write: (card, { tools }, was) => {
      if (hasEveryTool(tools)) return tools as Json | undefined;
      const names = toolNames(tools, was.context.servers);
      const wanted = wantedNames(card, was.card, names, { words: toolWords, others: new Set() });
      const canCall = names.some(({ isAgentTool }) => isAgentTool);
      return writeNames(textsOf(card.agents).length > 0 && !canCall ? [...wanted, 'agent'] : wanted, tools);
    },
  },
  {
    name: 'agents',
    use: 'works',
    why: 'the agents that it may call, by name; `*` for each that calls none itself, and `[]` for none',
    gives: ['agents'],
    inner: (rest) => rest,
    read: (value, card) => {
      card.agents = namesIn(value)
        .filter((name) => name !== '*')
        .map(normaliseName);
    },
    write: ({ agents }, written, { context }) => {
      const wanted = textsOf(agents);
      if (agents === undefined && written.agents === undefined) return undefined;
      const before = namesIn(written.agents);
      const names = wanted.map(
        (name) => before.find((one) => normaliseName(one) === name) ?? context.spelled?.(name) ?? name,
      );
      return writeNames(names, written.agents);
    },
  },
  {
    name: 'model',
    use: 'works',
    why: 'the model; of a list the first. Without the field, the model of the agent that asks',
    gives: ['model'],
    read: (value, card, note) => {
      const [first, ...more] = modelsIn(value);
      if (first !== undefined) card.model = modelHere(first);
      if (more.length > 0) note(modelsNote);
    },
    write: ({ model }, written) => {
      const [, ...more] = modelsIn(written.model);
      if (typeof model !== 'string') return undefined;
      return Array.isArray(written.model) ? [model, ...more] : model;
    },
  },
  {
    name: 'user-invocable',
    use: 'works',
    why: '`false`: people do not choose it, and other agents call it (`tool_only`)',
    gives: ['tool_only'],
    read: (value, card) => {
      if (value === false) card.tool_only = true;
    },
    write: ({ tool_only: only }, written) =>
      only === true ? false : written['user-invocable'] === true ? true : undefined,
  },
  worksInFolder('disable-model-invocation', '`true`: only agents that name it in `agents` call it'),
  worksInFolder('infer', 'the former name of both: `false` is `disable-model-invocation: true`'),
  {
    name: 'handoffs',
    use: 'works',
    why: 'what a person may choose next',
    gives: [],
    read: (value, _, note) => {
      const handoffs = handoffsIn(value);
      if (handoffs.length > 0) note(handoffsNote(handoffs));
    },
  },
  other('target', 'kept', 'agents for VS Code and for GitHub Copilot both run.'),
  other('metadata', 'kept', 'it is a note for people.'),
  other('mode', 'kept', 'VS Code does not read it in the file of an agent.'),
  other('mcp-servers', 'cannot-run', 'define the servers in .vscode/mcp.json and name them in tools.'),
  other('hooks', 'cannot-run', "they are commands, and hooks here are functions ('tool_hooks' in an AgentCard)."),
];

function textField(name: 'name' | 'description', why: string): DialectField {
  return {
    name,
    use: 'works',
    why,
    gives: [name],
    read: (value, card) => {
      card[name] = value;
    },
    write: ({ [name]: value }) => (typeof value === 'string' ? value : undefined),
  };
}

/** A field whose effect is on other agents. */
function worksInFolder(name: string, why: string): DialectField {
  return { name, use: 'works', why, gives: [] };
}

function other(name: string, use: 'kept' | 'cannot-run', why: string): DialectField {
  return { name, use, why, gives: [] };
}

/** Returns the models of a text or a list. */
function modelsIn(value: unknown): readonly string[] {
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  return all.flatMap((one) => (typeof one === 'string' && one.trim() !== '' ? [one] : []));
}

const modelsNote: DialectNote = {
  key: 'more-models',
  use: 'kept',
  path: ['model'],
  words: [],
  say: () =>
    "Of several names in 'model' the first is used here. The others are kept: VS Code takes the first that it can get.",
};
