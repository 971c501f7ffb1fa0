import { isRecord } from '@/lib/base/json';
import type { DialectField, DialectNote, Written } from '@/lib/cards/dialects/form/dialect';
import { quoted } from '@/lib/cards/dialects/form/quoted';
import { serversField } from '@/lib/cards/dialects/form/server-entries';

/**
 * The fields of `.vscode/mcp.json`. Source: code.visualstudio.com/docs/agents/reference/mcp-configuration. Commands of a project run
 * in its folder, as they do in VS Code, so `${workspaceFolder}` is `.`.
 */
export const serverFields: readonly DialectField[] = [
  {
    ...serversField('servers', (written) => ({ here, theirs: (text) => theirs(text, inputsOf(written)) })),
  },
  {
    name: 'inputs',
    use: 'works',
    why: 'what VS Code asks a person for; here it is a variable of the project',
    gives: [],
    read: (value, _, note) => {
      const ids = inputsOf({ inputs: value });
      if (ids.length > 0) note(inputsNote(ids));
    },
  },
];

/** `${input:api-key}` and `${env:API_KEY}` are variables of the project here. */
function here(text: string): string {
  return text
    .replace(/\$\{input:([^{}]+)\}/g, (_, id: string) => `\${${variableOf(id)}}`)
    .replace(/\$\{env:(\w+)\}/g, '${$1}')
    .replaceAll('${workspaceFolder}', '.');
}

function theirs(text: string, inputs: readonly string[]): string {
  return text.replace(/\$\{([A-Za-z_]\w*)(?::[^{}]*)?\}/g, (_, name: string) => {
    const input = inputs.find((id) => variableOf(id) === name);
    return input === undefined ? `\${env:${name}}` : `\${input:${input}}`;
  });
}

/** The name of the variable for an input: `api-key` is `API_KEY`. */
function variableOf(id: string): string {
  const name = id.replace(/\W/g, '_').toUpperCase();
  return /^\d/.test(name) ? `_${name}` : name;
}

function inputsOf({ inputs }: Written): readonly string[] {
  const entries: readonly unknown[] = Array.isArray(inputs) ? inputs : [];
  return entries.flatMap((entry) => (isRecord(entry) && typeof entry.id === 'string' ? [entry.id] : []));
}

function inputsNote(ids: readonly string[]): DialectNote {
  const say = (words: readonly string[]) =>
    `VS Code asks a person for 'inputs'. Here give these variables to the project: ${quoted(words)}.`;
  return { key: 'inputs', use: 'kept', path: ['inputs'], words: ids.map(variableOf), say };
}
