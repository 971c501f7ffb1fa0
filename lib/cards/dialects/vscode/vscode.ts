import { normaliseName } from '@/lib/cards/agent-name';
import type { AgentCard, Card } from '@/lib/cards/card';
import type {
  CardFields,
  Dialect,
  DialectForm,
  DialectNote,
  DialectProject,
  DialectWhole,
  PlacedNote,
} from '@/lib/cards/dialects/form/dialect';
import { documentNotes } from '@/lib/cards/dialects/form/document-notes';
import { quoted } from '@/lib/cards/dialects/form/quoted';
import { withoutUsualTransport } from '@/lib/cards/dialects/form/server-entries';
import { filtersOf, giveTools, textsOf } from '@/lib/cards/dialects/form/tool-access';
import { isCardFolderName, parentOf } from '@/lib/cards/file-role';
import { agentFields } from './agent-fields';
import { type CustomAgent, callsOf, mayBeCalled } from './calls';
import { absentHandoffs, handoffsIn } from './handoffs';
import { modelHere } from './model-names';
import { otherFiles } from './other-files';
import { withRenamedAgents } from './renamed-agents';
import { serverFields } from './server-fields';
import { hasEveryTool, renamedIn, toolNames } from './tool-names';

const rulesFile = '.github/copilot-instructions.md';

/** A custom agent: `*.agent.md`, `*.chatmode.md` (the former name), and each `.md` in `.github/agents`. */
const agent: DialectForm = {
  role: 'card',
  syntax: 'front-matter',
  fields: agentFields,
  always: { type: 'agent' },
  placed: (path) => ({ name: path.slice(path.lastIndexOf('/') + 1).replace(/(?:\.agent|\.chatmode)?\.md$/, '') }),
  withoutFile: false,
  unknown: 'no field that VS Code or GitHub Copilot documents. It is kept and has no effect.',
  newFields: (name) => ({ description: `Describe here when ${name} is to be called.` }),
  normal: inTheirWords,
  renameServer: (written, from, to, { servers }) => ({
    ...written,
    tools: renamedIn(written.tools, from, to, servers),
  }),
  noPlace: (field, { tools }) =>
    (hasEveryTool(tools) ? undefined : noChoices[field]) ??
    noPlaces[field] ??
    `A custom agent has no place for '${field}'.`,
};

/** A card as its file can say it. */
function inTheirWords({ shell, agents, model, ...rest }: Readonly<CardFields>): CardFields {
  return {
    ...rest,
    ...(shell === true ? { shell } : {}),
    ...(textsOf(agents).length > 0 ? { agents } : {}),
    ...(typeof model === 'string' ? { model: modelHere(model) } : {}),
  };
}

const noPlaces: Readonly<Record<string, string>> = {
  agents: "This agent may call each agent that calls none itself. Write a list of names in 'agents' in its text.",
  type: 'A custom agent is a plain agent; workflows need AgentCards.',
  servers: "An agent without 'tools' has every server of the project. Write 'tools' in its text to choose some.",
  tools: "Without 'tools' an agent has every tool of every server. Write 'tools' in its text to choose some.",
  shell: "An agent without 'tools' would lose every other tool. Write 'tools' in its text.",
  skills: 'A custom agent is told every skill of the project.',
};

/** The sentences for an agent that has `tools`. */
const noChoices: Readonly<Record<string, string>> = {
  servers: "The fields of this agent cannot say this choice of servers. Change 'tools' in its text.",
  tools: "The fields of this agent cannot say this choice of tools. Change 'tools' in its text.",
};

/** The agent of VS Code itself, with which a chat begins. Its instruction is `.github/copilot-instructions.md`. */
const main: DialectForm = {
  role: 'card',
  syntax: 'body',
  fields: [],
  always: { type: 'agent', name: 'agent', default: true },
  withoutFile: true,
  noPlace: (field) => {
    if (field === 'agents')
      return "The agent of VS Code itself may call each custom agent. Write 'disable-model-invocation: true' in the text of the agent that it is not to call.";
    if (field === 'servers') return 'The agent of VS Code itself has every server of the project.';
    return `The agent of VS Code itself has no place for '${field}': its file, ${rulesFile}, holds its instruction alone.`;
  },
};

const servers: DialectForm = {
  role: 'config',
  syntax: 'json-with-comments',
  fields: serverFields,
  always: {},
  withoutFile: true,
  normal: withoutUsualTransport,
  noPlace: (field) => `.vscode/mcp.json holds servers alone, and no '${field}'.`,
};

/**
 * VS Code and GitHub Copilot: custom agents, which call each other by name, servers in `.vscode/mcp.json`, and the agent of VS Code
 * itself. docs/dialects/vscode.md says what each field becomes.
 */
export const vscode: Dialect = {
  id: 'vscode',
  name: 'VS Code',
  directory: '.github/agents',
  fileEnd: '.agent.md',
  mainFile: rulesFile,
  configFile: '.vscode/mcp.json',
  home: '.github',
  rootNames: ['.github'],
  formOf(path) {
    if (path === rulesFile) return main;
    if (path === '.vscode/mcp.json') return servers;
    const folder = parentOf(path);
    if (isCardFolderName(folder) || !path.endsWith('.md')) return undefined;
    if (/\.(?:prompt|instructions)\.md$/.test(path)) return 'document';
    const isAgent = /[^/]\.(?:agent|chatmode)\.md$/.test(path);
    if (/\/\.github\//.test(path)) return isAgent ? 'document' : undefined;
    if (isAgent) return agent;
    return folder === '.github/agents' && !/\/README\.md$/i.test(path) ? agent : undefined;
  },
  documents: otherFiles,
  isProject: (folder) => folder.has(rulesFile) && folder.has('.vscode/mcp.json'),
  withRenamedAgents,
  together,
};

function together({ agents, config, folder }: DialectProject): DialectWhole {
  const notes: PlacedNote[] = [...documentNotes(folder, otherFiles)];
  const names = Object.keys(config.servers);
  const own: CustomAgent[] = [];
  const cards: Card[] = [];
  const seen = new Set<string>();
  for (const { card, form, written } of agents) {
    if (form !== agent || card.type !== 'agent') continue;
    if (seen.has(card.name)) notes.push({ file: card.file, note: repeatedNote(card.name) });
    else own.push({ card, written });
    seen.add(card.name);
  }
  const calls = callsOf(own);
  notes.push(...calls.notes);
  const skills = skillFolders.filter((path) => [...folder.keys()].some((file) => file.startsWith(`${path}/`)));
  const told = skills.length > 0 ? { skills } : {};
  for (const one of own) {
    notes.push(...notesOf(one, names, seen));
    cards.push({ ...one.card, ...accessOf(one, names), ...told, agents: calls.calls.get(one.card.name) ?? [] });
  }
  const callable = own.filter(({ written }) => mayBeCalled(written)).map(({ card }) => card.name);
  for (const { card, form } of agents) {
    if (form !== main || card.type !== 'agent') continue;
    cards.push({ ...card, ...told, name: mainName(seen), servers: names, agents: callable });
  }
  return { cards, notes };
}

/** Source: code.visualstudio.com/docs/agent-customization/agent-skills. */
const skillFolders = ['.github/skills', '.claude/skills', '.agents/skills'];

type Access = Pick<AgentCard, 'servers' | 'tools'>;

/** Returns the servers of an agent. Those that the project does not define are told, and left out. */
function accessOf({ written }: CustomAgent, names: readonly string[]): Access {
  if (hasEveryTool(written.tools)) return { servers: names, tools: {} };
  const fields: CardFields = {};
  giveTools(
    fields,
    toolNames(written.tools, names).filter(({ server }) => server === undefined || names.includes(server)),
  );
  return { servers: textsOf(fields.servers), tools: Object.fromEntries(filtersOf(fields)) };
}

function notesOf({ card, written }: CustomAgent, names: readonly string[], agents: ReadonlySet<string>): PlacedNote[] {
  const listed = toolNames(written.tools, names).filter(({ text }) => text !== '*');
  const absent = listed.flatMap(({ server }) => (server === undefined || names.includes(server) ? [] : [server]));
  const own = listed.filter(({ server, isShell, isAgentTool }) => server === undefined && !isShell && !isAgentTool);
  const lost = handoffsIn(written.handoffs).filter(
    (one) => !agents.has(normaliseName(one.agent)) && !builtIn.has(one.agent),
  );
  const notes: DialectNote[] = [];
  if (absent.length > 0) notes.push(absentServers([...new Set(absent)]));
  if (own.length > 0) notes.push(ownTools(own.map(({ text }) => text)));
  if (lost.length > 0) notes.push(absentHandoffs(lost.map(({ agent: name }) => name)));
  return notes.map((note) => ({ file: card.file, note }));
}

/** The agents of VS Code itself. */
const builtIn: ReadonlySet<string> = new Set(['agent', 'ask', 'edit', 'plan', 'Agent', 'Ask', 'Edit', 'Plan']);

/** The made-up agent makes way for an agent of a file. */
function mainName(others: ReadonlySet<string>): string {
  for (let n = 1; ; n++) {
    const name = n === 1 ? 'agent' : `agent-${n}`;
    if (!others.has(name)) return name;
  }
}

function repeatedNote(name: string): DialectNote {
  const say = (words: readonly string[]) =>
    `Another file has an agent of this name, and only the first by path is used: ${quoted(words)}. Rename one of them.`;
  return { key: 'repeated-names', use: 'cannot-run', path: ['name'], words: [name], say };
}

function absentServers(names: readonly string[]): DialectNote {
  const say = (words: readonly string[]) =>
    `Tools of servers that .vscode/mcp.json does not define cannot run here: ${quoted(words)}. Add the servers to the project.`;
  return { key: 'absent-servers', use: 'cannot-run', path: ['tools'], words: names, say };
}

function ownTools(names: readonly string[]): DialectNote {
  const say = (words: readonly string[]) =>
    `Tools of VS Code itself and of its extensions cannot run here: ${words.join(', ')}. The names are kept. Agents can read the project's files with 'runtime_tools' in callboard.yaml.`;
  return { key: 'own-tools', use: 'cannot-run', path: ['tools'], words: names, say };
}
