import { isRecord } from '@/lib/base/json';
import { agentView } from '@/lib/cards/agent-view';
import type { Card } from '@/lib/cards/card';
import type { Folder } from '@/lib/cards/folder';
import { filledPlaceholders, includingPlaceholders } from '@/lib/cards/placeholders';
import { isSecretFile } from '@/lib/cards/secret-files';

/** A placeholder or a path that can take the place of what is typed after `{{`. */
export interface InstructionOption {
  readonly label: string;
  readonly detail: string;
  /** The text that is written, with the closing braces unless they are there already. */
  readonly insert: string;
}

export interface InstructionCompletion {
  /** The place in the text from which on an option replaces what is typed. */
  readonly from: number;
  readonly options: readonly InstructionOption[];
}

const mostFiles = 500;

/**
 * Returns what can be completed at a place of an instruction: after `{{` the placeholders that this card's runs fill in,
 * after `{{file:` the text files of the project. Returns `undefined` elsewhere.
 */
export function completeInstruction(
  text: string,
  at: number,
  card: Card,
  folder: Folder,
): InstructionCompletion | undefined {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  const [, backslash, typed] = /(\\?)\{\{([^{}]*)$/.exec(line) ?? [];
  if (typed === undefined || backslash !== '') return undefined;
  const end = text.startsWith('}}', at) ? '' : '}}';
  const include = /^\s*(file|file_silent):(.*)$/s.exec(typed);
  if (include !== null) {
    const options = textFiles(folder).map((path) => ({ label: path, detail: '', insert: `${path}${end}` }));
    return { from: at - (include[2] ?? '').length, options };
  }
  if (typed.includes(':')) return undefined;
  return { from: at - typed.trimStart().length, options: placeholdersOf(card, end) };
}

function placeholdersOf(card: Card, end: string): InstructionOption[] {
  const values = agentView(card).requestParams.template_vars;
  const own = isRecord(values) ? Object.entries(values) : [];
  return [
    ...own.map(([name, value]) => ({
      label: name,
      detail: `template_vars: ${typeof value === 'string' ? value : JSON.stringify(value)}`.slice(0, 60),
      insert: `${name}${end}`,
    })),
    ...(card.type === 'iterative_planner' ? [{ label: 'agents', detail: 'Its members', insert: `agents${end}` }] : []),
    ...filledPlaceholders.map(({ name, becomes }) => ({ label: name, detail: becomes, insert: `${name}${end}` })),
    // The argument is typed or completed next, so the braces stay open.
    ...includingPlaceholders.map(({ name, becomes }) => ({
      label: `${name}:`,
      detail: becomes,
      insert: `${name}:`,
    })),
  ];
}

function textFiles(folder: Folder): readonly string[] {
  const paths = [...folder].flatMap(([path, file]) => (file.kind === 'text' && !isSecretFile(path) ? [path] : []));
  return paths.sort().slice(0, mostFiles);
}
