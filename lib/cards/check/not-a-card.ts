import type { Issue } from '@/lib/base/issue';
import type { Folder } from '@/lib/cards/folder';
import type { FileRole } from '@/lib/cards/parsed-folder';
import { describeValue } from '@/lib/cards/read/describe-value';
import { makeIssue } from '@/lib/cards/read/file-report';
import { isCardFile, splitSource } from '@/lib/cards/source';
import { isMapping } from '@/lib/cards/yaml/pyyaml';
import { parseYaml } from '@/lib/cards/yaml/yaml-source';

/** Returns the issue of a file that was named as a card but is not one. fast-agent rejects it too. */
export function notACard(folder: Folder, path: string, role: FileRole | undefined): Issue {
  const text = `'${path}' is not a card: ${reason(folder, path, role)}`;
  return makeIssue('not-a-card', { file: path, line: 1, column: 1 }, text);
}

function reason(folder: Folder, path: string, role: FileRole | undefined): string {
  if (role === 'skill') return 'it is a skill. Name the card that uses it.';
  if (role === 'secrets') return 'it is a file of secrets. Name a card.';
  const file = folder.get(path);
  if (role === 'code' || file?.kind !== 'text' || !isCardFile(path)) {
    return 'cards are .md and .yaml files. Name one of them, or the folder.';
  }
  const { kind, yaml } = splitSource(path, file.text);
  if (kind === 'markdown' && yaml === undefined) {
    return "it has no front matter. Begin it with the card's fields between two --- lines.";
  }
  const value = yaml === undefined ? null : parseYaml(yaml).value;
  if (isMapping(value)) {
    const keys = Object.keys(value).slice(0, 3).join(', ');
    return `its fields are of another kind (${keys}). Write a card's fields, such as name, model and instruction.`;
  }
  const what = value === null ? 'it is empty' : `it holds ${describeValue(value)}`;
  return `${what}, and a card is a mapping. Write key: value lines.`;
}
