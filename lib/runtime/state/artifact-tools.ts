import type { JsonObject } from '@/lib/base/json';
import { mediaTypeOf } from '@/lib/base/media-type';
import type { Artifact, ArtifactAccess, ArtifactEntry, ToolDescriptor } from '@/lib/runtime/ports';
import type { ContentBlock, ToolResult } from '@/lib/runtime/record/messages';
import { errorResult } from '@/lib/runtime/record/tool-error';

const name = { type: 'string', description: 'Name of the artifact, such as team/report.md' };

/** The tools of agents with `runtime_tools.artifacts`. */
export const artifactTools: readonly ToolDescriptor[] = [
  {
    name: 'save_artifact',
    description: 'Save a file that other agents of this run and the people who started it can open. Gives its version.',
    inputSchema: {
      type: 'object',
      properties: {
        name,
        content: { type: 'string', description: 'The text, or base64 of anything else' },
        media_type: { type: 'string', description: 'Default: by the ending of the name' },
        encoding: { type: 'string', enum: ['text', 'base64'], description: 'Default: text' },
      },
      required: ['name', 'content'],
    },
    source: 'runtime',
  },
  {
    name: 'load_artifact',
    description: 'Open a saved file: the latest version, or the one named.',
    inputSchema: {
      type: 'object',
      properties: { name, version: { type: 'integer', minimum: 1 } },
      required: ['name'],
    },
    source: 'runtime',
  },
  {
    name: 'list_artifacts',
    description: 'List the saved files with their latest versions.',
    inputSchema: { type: 'object', properties: {} },
    source: 'runtime',
  },
];

/** Runs an artifact tool. Returns `undefined` for any other tool. */
export async function callArtifactTool(
  tool: string,
  args: JsonObject,
  artifacts: ArtifactAccess,
): Promise<ToolResult | undefined> {
  switch (tool) {
    case 'save_artifact':
      return save(args, artifacts);
    case 'load_artifact':
      return load(args, artifacts);
    case 'list_artifacts':
      return list(await artifacts.list());
    default:
      return undefined;
  }
}

async function save(args: JsonObject, artifacts: ArtifactAccess): Promise<ToolResult> {
  const { name: wanted, content, media_type } = args;
  if (typeof wanted !== 'string' || typeof content !== 'string') {
    return errorResult('INPUT_VALIDATION', "Error: 'name' and 'content' must be strings.");
  }
  const encoding = args.encoding === 'base64' ? 'base64' : 'text';
  const mimeType =
    typeof media_type === 'string' ? media_type : mediaTypeOf(wanted, encoding === 'text' ? 'text' : 'binary');
  const saved = await artifacts.save(wanted, { mimeType, encoding, content });
  if (!saved.ok) return errorResult(saved.error.code, `Error: ${saved.error.message}`);
  const { version } = saved.value;
  return {
    content: [{ type: 'text', text: `Saved '${wanted}', version ${version}.` }],
    isError: false,
    meta: { artifacts: { [wanted]: version } },
  };
}

async function load(args: JsonObject, artifacts: ArtifactAccess): Promise<ToolResult> {
  const wanted = typeof args.name === 'string' ? args.name : '';
  const version = typeof args.version === 'number' ? args.version : undefined;
  const found = await artifacts.load(wanted, version);
  if (found) return { content: [blockOf(found)], isError: false };
  const which = version === undefined ? `'${wanted}'` : `'${wanted}', version ${version}`;
  return errorResult('TOOL_FAILED', `Error: There is no artifact ${which}. See list_artifacts.`);
}

function list(entries: readonly ArtifactEntry[]): ToolResult {
  const lines = entries.map(({ name: of, version, mimeType, bytes }) => `${of}\t${version}\t${mimeType}\t${bytes}`);
  const text = lines.length > 0 ? ['name\tversion\ttype\tbytes', ...lines].join('\n') : 'There are no artifacts.';
  return { content: [{ type: 'text', text }], isError: false };
}

function blockOf({ name: uri, mimeType, encoding, content }: Artifact & ArtifactEntry): ContentBlock {
  if (encoding === 'text') return { type: 'text', text: content };
  if (mimeType.startsWith('image/')) return { type: 'image', data: content, mimeType };
  if (mimeType.startsWith('audio/')) return { type: 'audio', data: content, mimeType };
  return { type: 'resource', uri, mimeType, blob: content };
}
