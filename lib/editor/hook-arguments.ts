import { fitsGlob } from '@/lib/base/glob';
import { isRecord, type JsonObject } from '@/lib/base/json';
import type { AgentCard } from '@/lib/cards/card';
import { listFunctions } from '@/lib/cards/code/list-functions';
import type { Folder } from '@/lib/cards/folder';
import type { PreviewTool } from '@/lib/runtime/surface/surface-preview';

/** The name of an argument that a hook may name, and the tools that take it. */
export interface ArgumentChoice {
  readonly name: string;
  readonly tools: readonly string[];
}

/**
 * Returns the names of arguments that calls of an agent may have, sorted, with a path for members of objects
 * (`options.limit`). They come from the input schemas of its tools, and for functions from their code. `when` is the filter of
 * the hook: the names are those of the tools that it takes.
 */
export function argumentChoices(
  tools: readonly PreviewTool[],
  folder: Folder,
  card: AgentCard,
  when: JsonObject,
): readonly ArgumentChoice[] {
  const found = new Map<string, string[]>();
  for (const tool of tools) {
    if (!takes(when, tool)) continue;
    const names = tool.source === 'function' ? parametersOf(folder, card, tool.name) : propertiesOf(tool.inputSchema);
    for (const name of names) found.set(name, [...(found.get(name) ?? []), tool.name]);
  }
  return [...found]
    .map(([name, of]) => ({ name, tools: of }))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

function takes(when: JsonObject, { name, source, from }: PreviewTool): boolean {
  const fits = (key: string, value: string | undefined) => {
    const patterns = textsIn(when[key]);
    return patterns.length === 0 || (value !== undefined && patterns.some((pattern) => fitsGlob(pattern, value)));
  };
  return fits('tool', name) && fits('source', source) && fits('server', source === 'mcp' ? from : undefined);
}

function textsIn(value: unknown): readonly string[] {
  return [value].flat().filter((one) => typeof one === 'string');
}

/** Returns the names of properties, also those of objects in them, one level down. */
function propertiesOf(schema: unknown): readonly string[] {
  return Object.entries(membersOf(schema)).flatMap(([name, property]) => [
    name,
    ...Object.keys(membersOf(property)).map((inner) => `${name}.${inner}`),
  ]);
}

function membersOf(schema: unknown): Readonly<Record<string, unknown>> {
  const properties = isRecord(schema) ? schema.properties : undefined;
  return isRecord(properties) ? properties : {};
}

function parametersOf(folder: Folder, card: AgentCard, tool: string): readonly string[] {
  const spec = card.functionTools.find(({ functionName }) => functionName === tool);
  const found = listFunctions(folder).find(({ file, name }) => file === spec?.file && name === spec.functionName);
  return (found?.parameters ?? []).map(({ name }) => name).filter((name) => !['ctx', 'self'].includes(name));
}
