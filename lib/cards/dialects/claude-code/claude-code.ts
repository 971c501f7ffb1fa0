import type { Card } from '@/lib/cards/card';
import type {
  CardFields,
  Dialect,
  DialectContext,
  DialectForm,
  DialectNote,
  DialectProject,
  DialectWhole,
  PlacedNote,
  Written,
} from '@/lib/cards/dialects/form/dialect';
import { quoted } from '@/lib/cards/dialects/form/quoted';
import { withoutUsualTransport } from '@/lib/cards/dialects/form/server-entries';
import { filtersOf, textsOf } from '@/lib/cards/dialects/form/tool-access';
import { agentFields } from './agent-fields';
import { denialsOf } from './denials';
import { otherFiles } from './other-files';
import { projectNotes } from './project-notes';
import { withRenamedAgents } from './renamed-agents';
import { serverFields } from './server-fields';
import { projectSettings, settingsFile } from './settings-file';
import { accessOf, serverNames } from './tool-access';
import { hasEveryTool, renamedIn, serverWord } from './tool-names';

/** An agent that the main agent may call: `.claude/agents/**\/*.md`. */
const agent: DialectForm = {
  role: 'card',
  syntax: 'front-matter',
  fields: agentFields,
  always: { type: 'agent' },
  withoutFile: false,
  unknown: 'no field that Claude Code documents. It is kept and has no effect.',
  nameFault(name) {
    if (/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name)) return undefined;
    const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? ['agent'];
    return `Claude Code takes names of small letters, digits and hyphens. Write '${words.join('-')}'.`;
  },
  identity: 'name',
  required: ['description'],
  newFields: (name) => ({ description: `Describe here when ${name} is to be called.` }),
  normal: inTheirWords,
  renameServer: renamedServer,
  noPlace: (field, { tools }) => {
    const choice = hasEveryTool(tools) ? undefined : noChoices[field];
    return choice ?? noPlaces[field] ?? `An agent of Claude Code has no place for '${field}'.`;
  },
};

/** A card as its file can say it: names of servers as they stand in names of tools, and no shell without a word. */
function inTheirWords({ shell, ...rest }: Readonly<CardFields>): CardFields {
  const filters = [...filtersOf(rest)].map(([server, names]): [string, readonly string[]] => [
    serverWord(server),
    names,
  ]);
  return {
    ...rest,
    ...(shell === false || shell === undefined ? {} : { shell }),
    ...(rest.servers === undefined ? {} : { servers: textsOf(rest.servers).map(serverWord) }),
    ...(rest.tools === undefined ? {} : { tools: Object.fromEntries(filters) }),
  };
}

const noPlaces: Readonly<Record<string, string>> = {
  agents: 'In Claude Code only the main agent calls others, and it may call each of them.',
  type: 'An agent of Claude Code is a plain agent; workflows need AgentCards.',
  servers: "An agent without 'tools' has every server of the project. Write 'tools' in its text to choose some.",
  tools: "Claude Code cannot say this choice of tools. Write 'tools' in the text of the agent.",
  shell: "An agent without 'tools' would lose every other tool. Write 'tools' in its text.",
  skills: 'An agent of Claude Code names skills of .claude/skills.',
  request_params: "Of the request parameters, Claude Code has 'maxTurns' alone (max_iterations).",
};

/** Each name keeps its place, also in `disallowedTools`. */
function renamedServer(written: Written, from: string, to: string, { servers: known }: DialectContext): Written {
  const { tools, disallowedTools, mcpServers } = written;
  const entries: readonly unknown[] = Array.isArray(mcpServers) ? mcpServers : serverNames(mcpServers);
  const renamed = entries.map((one) => (one === from ? to : one));
  return {
    ...written,
    ...(tools === undefined ? {} : { tools: renamedIn(tools, from, to, known) }),
    ...(disallowedTools === undefined ? {} : { disallowedTools: renamedIn(disallowedTools, from, to, known) }),
    ...(serverNames(mcpServers).includes(from)
      ? { mcpServers: Array.isArray(mcpServers) ? renamed : renamed.join(', ') }
      : {}),
  };
}

/** The sentences for an agent that has `tools`. */
const noChoices: Readonly<Record<string, string>> = {
  servers:
    "The fields of this agent cannot say this choice of servers. Change 'tools' and 'disallowedTools' in its text.",
  tools: "The fields of this agent cannot say this choice of tools. Change 'tools' and 'disallowedTools' in its text.",
  shell: "'disallowedTools' of this agent denies 'Bash'. Remove it in the text.",
};

/** The agent that a person talks to. Its instruction is `CLAUDE.md`, and it is there without that file. */
const main: DialectForm = {
  role: 'card',
  syntax: 'body',
  fields: [],
  always: { type: 'agent', name: 'main', default: true },
  withoutFile: true,
  noPlace: (field) => {
    if (field === 'agents')
      return 'The main agent of Claude Code may call each agent of the project. Remove the agent, or deny it in .claude/settings.json.';
    if (field === 'servers') return 'The main agent of Claude Code has every server of the project.';
    return `The main agent of Claude Code has no place for '${field}': its file, CLAUDE.md, holds its instruction alone.`;
  },
};

const servers: DialectForm = {
  role: 'config',
  syntax: 'json',
  fields: serverFields,
  always: {},
  withoutFile: true,
  normal: withoutUsualTransport,
  noPlace: (field) => `.mcp.json holds servers alone, and no '${field}'.`,
};

/**
 * Claude Code: agents in `.claude/agents`, one main agent that calls them, servers in `.mcp.json`, skills in `.claude/skills`.
 * docs/dialects/claude-code.md says what each field becomes.
 */
export const claudeCode: Dialect = {
  id: 'claude-code',
  name: 'Claude Code',
  directory: '.claude/agents',
  mainFile: 'CLAUDE.md',
  configFile: '.mcp.json',
  home: '.claude',
  rootNames: ['.claude', '.mcp.json'],
  formOf(path) {
    if (path === 'CLAUDE.md') return main;
    if (path === '.mcp.json') return servers;
    if (/\/\.claude\//.test(path)) return 'document';
    if (!path.startsWith('.claude/')) return undefined;
    return /^\.claude\/agents\/.+\.md$/.test(path) ? agent : 'document';
  },
  documents: otherFiles,
  isProject(folder) {
    const [hasRules, hasServers] = [folder.has('CLAUDE.md'), folder.has('.mcp.json')];
    const hasHome = [...folder.keys()].some((path) => path.startsWith('.claude/'));
    return (hasRules && hasServers) || (hasHome && (hasRules || hasServers));
  },
  withRenamedAgents,
  together,
};

function together(project: DialectProject): DialectWhole {
  const notes: PlacedNote[] = [...projectNotes(project.folder)];
  const settings = projectSettings(project.folder);
  const names = Object.keys(project.config.servers);
  const denials = denialsOf(settings ?? {}, names);
  for (const note of denials.notes) notes.push({ file: settingsFile, note });
  const others = new Set<string>();
  const agents = project.agents.filter(({ form, card }) => {
    if (form !== agent) return true;
    if (!others.has(card.name)) {
      others.add(card.name);
      return true;
    }
    notes.push({ file: card.file, note: repeatedNote(card.name) });
    return false;
  });
  const cards = agents.map((one): Card => {
    if (one.card.type !== 'agent') return one.card;
    if (one.form === main) {
      const called = [...others].filter((name) => !denials.isDenied(name));
      return {
        ...one.card,
        ...denials.allowed({ ...one.card, servers: names }),
        name: mainName(others),
        agents: called,
      };
    }
    if (one.form !== agent) return one.card;
    const { file } = one.card;
    const fields = accessOf(one.written, { servers: names }, (note) => notes.push({ file, note }));
    const named = [...textsOf(fields.servers), ...serverNames(one.written.mcpServers)];
    const absent = [...new Set(named)].filter((name) => !names.includes(name));
    if (absent.length > 0) notes.push({ file, note: absentNote(absent, one.written) });
    const own = textsOf(fields.servers).filter((name) => names.includes(name));
    const access = { servers: own, tools: Object.fromEntries(filtersOf(fields)), shell: one.card.shell };
    return { ...one.card, ...denials.allowed(access) };
  });
  const faults = settings === undefined ? [{ file: settingsFile, message: unreadSettings }] : [];
  return { cards, notes, faults };
}

const unreadSettings = `${settingsFile} is not a mapping in JSON, so nobody can tell what it denies. Correct it.`;

/** The made-up agent makes way for an agent of a file. */
function mainName(others: ReadonlySet<string>): string {
  for (let n = 1; ; n++) {
    const name = n === 1 ? 'main' : `main-${n}`;
    if (!others.has(name)) return name;
  }
}

/** Claude Code uses one of several agents with the same name, so this is no error. */
function repeatedNote(name: string): DialectNote {
  const say = (words: readonly string[]) =>
    `Another file has an agent of this name, and only the first by path is used: ${quoted(words)}. Rename one of them.`;
  return { key: 'repeated-names', use: 'cannot-run', path: ['name'], words: [name], say };
}

/** A server that the project does not define may be one of the user's own, so this is no error of the agent. */
function absentNote(names: readonly string[], { tools }: Written): DialectNote {
  const say = (words: readonly string[]) =>
    `Tools of servers that .mcp.json does not define cannot run here: ${quoted(words)}. Add the servers to the project.`;
  return {
    key: 'absent-servers',
    use: 'cannot-run',
    path: [tools === undefined ? 'mcpServers' : 'tools'],
    words: names,
    say,
  };
}
