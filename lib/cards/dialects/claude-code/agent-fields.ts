import { isRecord } from '@/lib/base/json';
import type { DialectField, DialectNote } from '@/lib/cards/dialects/form/dialect';
import { quoted } from '@/lib/cards/dialects/form/quoted';
import { giveServers, giveTools, textsOf, wantedNames } from '@/lib/cards/dialects/form/tool-access';
import { denyTools, serverNames } from './tool-access';
import { hasEveryTool, namesIn, toolNames, toolWords, writeNames } from './tool-names';

/**
 * The fields of an agent of Claude Code (`.claude/agents/*.md`). Source: code.claude.com/docs/en/sub-agents, *Supported
 * frontmatter fields*. A field that Callboard learns to use becomes a row with `read` and `write`.
 */
export const agentFields: readonly DialectField[] = [
  {
    name: 'name',
    use: 'works',
    why: 'the name of the agent',
    gives: ['name'],
    read: (value, card) => {
      card.name = value;
    },
    write: ({ name }) => (typeof name === 'string' ? name : undefined),
  },
  {
    name: 'description',
    use: 'works',
    why: 'what the main agent reads to choose whom to ask',
    gives: ['description'],
    read: (value, card) => {
      card.description = value;
    },
    write: ({ description }) => (typeof description === 'string' ? description : undefined),
  },
  {
    name: 'model',
    use: 'works',
    why: 'the model; with `inherit`, or without the field, the model of the agent that asks',
    gives: ['model'],
    read: (value, card) => {
      if (value !== 'inherit') card.model = value;
    },
    write: ({ model }, written) =>
      typeof model === 'string' ? model : written.model === 'inherit' ? 'inherit' : undefined,
  },
  {
    name: 'mcpServers',
    use: 'works',
    why: 'servers of the project, by name',
    gives: ['servers'],
    read: (value, card, note) => {
      giveServers(card, serverNames(value));
      const inline = inlineServers(value);
      if (inline.length > 0) note(inlineNote(inline));
    },
    write: ({ servers }, { mcpServers }, was) => {
      const wanted = textsOf(servers);
      const gone = new Set(textsOf(was.card.servers).filter((name) => !wanted.includes(name)));
      if (!serverNames(mcpServers).some((name) => gone.has(name))) return same(mcpServers);
      const entries: readonly unknown[] = Array.isArray(mcpServers) ? mcpServers : namesIn(mcpServers);
      const left = entries.filter((one) => typeof one !== 'string' || !gone.has(one));
      if (left.length === 0) return undefined;
      return Array.isArray(mcpServers) ? same(left) : left.join(', ');
    },
  },
  {
    name: 'tools',
    use: 'works',
    why: 'tools of servers (`mcp__server__tool`) and `Bash`. An agent without this field has all servers of the project',
    gives: ['servers', 'tools', 'shell'],
    read: (value, card, note, { servers }) => {
      if (hasEveryTool(value)) return;
      const names = toolNames(value, servers);
      giveTools(card, names);
      const own = names.filter(
        ({ server, text, base }) => server === undefined && text !== 'Bash' && !delegating.has(base),
      );
      if (own.length > 0)
        note(
          ownToolsNote(
            'tools',
            own.map(({ base, text, isNarrowed }) => (base === 'Bash' && isNarrowed ? text : base)),
          ),
        );
      const asked = names.filter(({ base }) => delegating.has(base));
      if (asked.length > 0) note(delegationNote(asked.map(({ text }) => text)));
    },
    write: (card, { tools, mcpServers }, was) => {
      // A first name would take away every other tool, so the edit is refused.
      if (hasEveryTool(tools)) return same(tools);
      const names = toolNames(tools, was.context.servers);
      const others = new Set(serverNames(mcpServers));
      return writeNames(wantedNames(card, was.card, names, { words: toolWords, others }), tools);
    },
  },
  {
    name: 'disallowedTools',
    use: 'works',
    why: 'tools of servers and `Bash` are taken away',
    gives: [],
    // What cannot be said here is told where the servers of the project are known.
    read: (value, card, _, { servers }) => denyTools(card, toolNames(value, servers), () => undefined),
    write: (_, { disallowedTools }) => same(disallowedTools),
  },
  {
    name: 'skills',
    use: 'works',
    why: 'skills of `.claude/skills` by name. The agent is told them and reads one when it needs it; Claude Code puts their whole text into its prompt',
    gives: ['skills'],
    inner: (rest) => rest,
    read: (value, card) => {
      card.skills = namesIn(value).map((name) => `${skillFolder}${name}`);
    },
    write: ({ skills }, written) => {
      if (skills === undefined) return undefined;
      const names = textsOf(skills).map((path) =>
        path.startsWith(skillFolder) ? path.slice(skillFolder.length) : path,
      );
      return writeNames(names, written.skills);
    },
  },
  {
    name: 'maxTurns',
    use: 'works',
    why: 'the most model calls of one instance (`request_params.max_iterations`)',
    gives: ['request_params'],
    read: (value, card) => {
      card.request_params = { max_iterations: value };
    },
    write: ({ request_params: params }) => {
      const most = isRecord(params) ? params.max_iterations : undefined;
      return typeof most === 'number' ? most : undefined;
    },
  },
  kept('color', 'it is a colour in the terminal of Claude Code.'),
  kept('permissionMode', "who must be asked before a tool runs is a matter of 'approvals' in callboard.yaml."),
  kept('background', 'children of one turn run at the same time, and their caller waits for them.'),
  kept('effort', "how long a model thinks is part of its name here, such as 'sonnet?reasoning=high'."),
  kept('initialPrompt', 'it is sent if the agent is started alone, by `claude --agent`.'),
  kept('disabled', 'a wire or an agent is removed on the canvas.'),
  kept('version', 'Claude Code does not read it either.'),
  cannotRun('memory', 'an agent has no notes of its own that outlive a run.'),
  cannotRun('isolation', 'an agent works in the files of its run, and there is no git work tree.'),
  cannotRun('hooks', "they are commands, and hooks here are functions ('tool_hooks' in an AgentCard)."),
];

const skillFolder = '.claude/skills/';
/** The tool that calls other agents, under its present and its former name. */
const delegating: ReadonlySet<string> = new Set(['Agent', 'Task']);

function kept(name: string, why: string): DialectField {
  return { name, use: 'kept', why, gives: [] };
}

function cannotRun(name: string, why: string): DialectField {
  return { name, use: 'cannot-run', why, gives: [] };
}

/** A value that an edit does not touch is given back as it is. */
function same(value: unknown): ReturnType<NonNullable<DialectField['write']>> {
  return value as ReturnType<NonNullable<DialectField['write']>>;
}

function inlineServers(value: unknown): readonly string[] {
  const entries: readonly unknown[] = Array.isArray(value) ? value : [value];
  return entries.flatMap((entry) => (isRecord(entry) ? Object.keys(entry) : []));
}

function inlineNote(names: readonly string[]): DialectNote {
  const say = (words: readonly string[]) =>
    `Servers that an agent defines in its own 'mcpServers' cannot run here: ${quoted(words)}. Define them in .mcp.json and name them here.`;
  return { key: 'inline-servers', use: 'cannot-run', path: ['mcpServers'], words: names, say };
}

function ownToolsNote(field: string, names: readonly string[]): DialectNote {
  const say = (words: readonly string[]) =>
    `Tools of Claude Code itself cannot run here: ${words.join(', ')}. The names are kept. Agents can read the project's files with 'runtime_tools' in callboard.yaml.`;
  return { key: 'own-tools', use: 'cannot-run', path: [field], words: names, say };
}

function delegationNote(names: readonly string[]): DialectNote {
  const say = (words: readonly string[]) =>
    `${words.join(', ')} in 'tools' is kept and has no effect: in Claude Code an agent that was asked by the main agent cannot ask others.`;
  return { key: 'delegation', use: 'kept', path: ['tools'], words: names, say };
}
