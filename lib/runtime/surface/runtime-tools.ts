import type { JsonObject } from '@/lib/base/json';
import { mediaTypeOf } from '@/lib/base/media-type';
import { trimOf } from '@/lib/base/trim';
import type { AgentCard } from '@/lib/cards/card';
import { fileSize } from '@/lib/cards/files';
import type { Folder } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { type Skill, skillsOf } from '@/lib/cards/read/skills';
import { joinPath } from '@/lib/cards/references';
import { isSecretFile } from '@/lib/cards/secret-files';
import type { Settings } from '@/lib/cards/settings';
import type { ShellPort, ToolDescriptor, ToolPort } from '@/lib/runtime/ports';
import type { ToolResult } from '@/lib/runtime/record/messages';
import { errorResult } from '@/lib/runtime/record/tool-error';
import { artifactTools, callArtifactTool } from '@/lib/runtime/state/artifact-tools';
import { callStateTool, stateTools } from '@/lib/runtime/state/state-tools';

export interface RuntimeToolsInput {
  /** The project's folder without the files that hold secrets. */
  readonly folder: Folder;
  readonly parsed: Pick<ParsedFolder, 'settings'>;
  /** Present if an administrator allows commands. */
  readonly shell: ShellPort | undefined;
}

/** One answer has at most this many characters of a file. `offset` reads the rest. */
export const maxFileCharacters = 100_000;
/** One listing has at most this many paths. */
export const maxListedFiles = 1_000;

/**
 * Makes the built-in tools (source `runtime`) of a run: `read_skill`, `read_file`, `list_files`, `execute`,
 * `__human_input`, and those for state and artifacts. They read the run's copy of the folder in memory; only `execute`
 * reaches anything else.
 */
export function runtimeTools({ folder, parsed, shell }: RuntimeToolsInput): ToolPort {
  /**
   * Maps a tool to the skills that it may read. The key is the tool and not the agent, because an agent created in the run
   * may get tools of its creator, with the same skills.
   */
  const readable = new WeakMap<ToolDescriptor, readonly Skill[]>();

  return {
    version: () => 1,
    list(card) {
      const { skills } = skillsOf(card, folder);
      const tools = builtInTools(card, skills, parsed.settings, shell !== undefined);
      for (const tool of tools) if (tool.name === 'read_skill') readable.set(tool, skills);
      return Promise.resolve({ tools, issues: [] });
    },
    async call(tool, args, context) {
      switch (tool.name) {
        case 'read_skill':
          return readSkill(folder, readable.get(tool) ?? [], args);
        case 'read_file':
          return readFile(folder, args);
        case 'list_files':
          return listFiles(folder, args);
        case 'execute':
          return shell
            ? execute(shell, args, context.signal)
            : errorResult('NOT_ALLOWED', 'Error: Commands are not allowed here.');
        case '__human_input':
          return errorResult(
            'NOT_ALLOWED',
            'Error: Nobody can be asked in this run. Continue with what you know, or say what is missing.',
          );
        default:
          return (
            callStateTool(tool.name, args, context.state) ??
            (await callArtifactTool(tool.name, args, context.artifacts)) ??
            errorResult('UNKNOWN_TOOL', `Error: There is no built-in tool '${tool.name}'.`)
          );
      }
    },
  };
}

/** Returns the built-in tools that an agent is offered, in order. */
export function builtInTools(
  card: AgentCard,
  skills: readonly Skill[],
  settings: Settings,
  hasShell: boolean,
): readonly ToolDescriptor[] {
  return [
    ...(skills.length > 0 ? [readSkillTool(skills)] : []),
    ...(card.shell && hasShell ? [executeTool] : []),
    ...(settings.runtime_tools.files ? [readFileTool, listFilesTool] : []),
    ...(settings.runtime_tools.state ? stateTools : []),
    ...(settings.runtime_tools.artifacts ? artifactTools : []),
    ...(card.humanInput ? [humanInputTool] : []),
    ...externalTools(card, settings),
  ];
}

/** Returns the tools of an agent whose results people give. The runtime asks for them and does not call this port. */
function externalTools({ name: agent }: AgentCard, { external_tools }: Settings): readonly ToolDescriptor[] {
  return Object.entries(external_tools).flatMap(([name, { agents, description, input_schema }]): ToolDescriptor[] => {
    const inputSchema = input_schema ?? { type: 'object', properties: {} };
    return agents.includes(agent) ? [{ name, description, inputSchema, source: 'runtime', remoteName: name }] : [];
  });
}

function readSkill(folder: Folder, skills: readonly Skill[], args: JsonObject): ToolResult {
  const names = skills.map(({ name }) => name).join(', ');
  const wanted = typeof args.path === 'string' ? args.path.trim() : '';
  const byName = skills.find(({ name }) => name === wanted)?.file;
  const path = byName ?? joinPath('', wanted);
  const isInside = path !== undefined && skills.some(({ directory }) => path.startsWith(directory));
  const file = path === undefined ? undefined : folder.get(path);
  if (!isInside || !file) {
    return errorResult('NOT_ALLOWED', `Error: '${wanted}' is not a file of a skill of this agent. Skills: ${names}.`);
  }
  return file.kind === 'text' ? part(path, file.text, 0) : binary(path, fileSize(file));
}

function readFile(folder: Folder, args: JsonObject): ToolResult {
  const wanted = typeof args.path === 'string' ? args.path : '';
  const path = joinPath('', wanted);
  if (path !== undefined && isSecretFile(path)) {
    return errorResult('NOT_ALLOWED', `Error: '${path}' holds secrets and is not read.`);
  }
  const file = path === undefined ? undefined : folder.get(path);
  if (path === undefined || !file) {
    return errorResult('TOOL_FAILED', `Error: '${wanted}' is not a file of the project. See list_files.`);
  }
  if (file.kind !== 'text') return binary(path, fileSize(file));
  const offset = typeof args.offset === 'number' ? Math.max(0, Math.floor(args.offset)) : 0;
  return part(path, file.text, offset);
}

function part(path: string, whole: string, offset: number): ToolResult {
  const text = whole.slice(offset, offset + maxFileCharacters);
  const end = offset + text.length;
  const note =
    end < whole.length
      ? `\n[${path}: characters ${offset} to ${end} of ${whole.length}; continue with offset ${end}]`
      : '';
  return { content: [{ type: 'text', text: `${text}${note}` }], isError: false };
}

function binary(path: string, size: number): ToolResult {
  return errorResult('TOOL_FAILED', `Error: '${path}' is ${mediaTypeOf(path, 'binary')} of ${size} bytes, not text.`);
}

function listFiles(folder: Folder, args: JsonObject): ToolResult {
  const path = typeof args.path === 'string' ? args.path.trim() : '';
  const wanted = trimOf(path === '.' || path.startsWith('./') ? path.slice(1) : path, '/');
  const prefix = wanted === '' ? '' : `${wanted}/`;
  const paths = [...folder.keys()].filter((path) => path.startsWith(prefix)).sort();
  if (paths.length === 0) return errorResult('TOOL_FAILED', `Error: There are no files below '${wanted}'.`);
  const shown = paths.slice(0, maxListedFiles).map((path) => {
    const file = folder.get(path);
    return `${path}\t${file?.kind === 'text' ? file.text.length : file ? fileSize(file) : 0}`;
  });
  const rest =
    paths.length > maxListedFiles ? [`[first ${maxListedFiles} of ${paths.length} files; name a folder]`] : [];
  return { content: [{ type: 'text', text: [...shown, ...rest].join('\n') }], isError: false };
}

async function execute(shell: ShellPort, args: JsonObject, signal: AbortSignal): Promise<ToolResult> {
  const command = typeof args.command === 'string' ? args.command : '';
  if (command.trim() === '') return errorResult('INPUT_VALIDATION', "Error: 'command' must be a command line.");
  const timeoutMs = typeof args.timeout_ms === 'number' && args.timeout_ms > 0 ? args.timeout_ms : undefined;
  return shell.execute(command, { signal, timeoutMs });
}

function readSkillTool(skills: readonly Skill[]): ToolDescriptor {
  const names = skills.map(({ name, description }) => (description === '' ? name : `${name} (${description})`));
  return builtIn(
    'read_skill',
    `Read a skill's SKILL.md or another file of its directory. Skills: ${names.join('; ')}.`,
    { path: { type: 'string', description: "A skill's name, or the path of a file in its directory" } },
    ['path'],
  );
}

const readFileTool = builtIn(
  'read_file',
  'Read a text file of the project.',
  {
    path: { type: 'string', description: "Path from the project's folder" },
    offset: { type: 'integer', minimum: 0, description: 'Characters to skip. Default 0' },
  },
  ['path'],
);

const listFilesTool = builtIn(
  'list_files',
  'List the files of the project with their sizes.',
  { path: { type: 'string', description: 'Only below this folder. Default: all' } },
  [],
);

const executeTool = builtIn(
  'execute',
  "Run a command line in a shell, in a working copy of the project's folder.",
  {
    command: { type: 'string', description: 'The command line' },
    timeout_ms: { type: 'integer', minimum: 1, description: 'Kill it after so many milliseconds' },
  },
  ['command'],
);

const humanInputTool = builtIn(
  '__human_input',
  'Ask the person who started this run.',
  { message: { type: 'string', description: 'The question' } },
  ['message'],
);

function builtIn(
  name: string,
  description: string,
  properties: JsonObject,
  required: readonly string[],
): ToolDescriptor {
  const inputSchema = { type: 'object', properties, ...(required.length > 0 ? { required } : {}) };
  return { name, description, inputSchema, source: 'runtime', remoteName: name };
}
