import type { Issue } from '@/lib/base/issue';
import { dialectFileOf } from '@/lib/cards/dialects/find-dialect';
import { baseName, isCardFolderName, parentOf, roleByName } from '@/lib/cards/file-role';
import type { FolderFile } from '@/lib/cards/folder';
import { LineIndex, type Position } from '@/lib/cards/line-index';
import type { FileRole, UnreadCard } from '@/lib/cards/parsed-folder';
import { type CardSource, splitSource } from '@/lib/cards/source';
import { isMapping } from '@/lib/cards/yaml/pyyaml';
import { parseYaml, type YamlSource } from '@/lib/cards/yaml/yaml-source';
import { looksLikeCard } from './card-fields';
import { checkBytes, firstTextOf } from './check-bytes';
import type { FileReading } from './file-reading';
import { makeIssue } from './file-report';
import { readCard } from './read-card';
import { noConfig, readConfig } from './read-config';
import { readDialectFile, undecodedDialectFile } from './read-dialect-file';
import { readFixture } from './read-fixture';
import { readSettings } from './read-settings';
import { secretsFaults } from './secrets-faults';

/** Reads a file. Never throws. */
export function readFile(path: string, file: FolderFile): FileReading {
  const issues = checkBytes(path, file);
  const named = roleByName(path);
  const known = named === undefined || named === 'document' ? dialectFileOf(path) : undefined;
  if (file.kind !== 'text' || issues.length > 0) {
    if (known === undefined) return readUndecoded(path, file, issues);
    return undecodedDialectFile(path, issues, known, {
      broken: (faults) => broken(path, splitSource(path, firstTextOf(file)), faults),
      document: () => readUndecoded(path, file, issues),
    });
  }
  if (known !== undefined) {
    const source = splitSource(path, file.text);
    return readDialectFile(path, file.text, known, {
      broken: (faults) => broken(path, source, faults),
      document: () => (source.fence === '---' ? readUnclosed(path, source) : { role: 'document', issues: [] }),
    });
  }
  switch (named) {
    case 'config':
    case 'settings':
    case 'fixture':
      return readYamlFile(named, path, file.text);
    case 'secrets':
      return { role: named, issues: secretsFaults(path, file.text) };
    case undefined:
      return readCandidate(path, splitSource(path, file.text));
    default:
      return { role: named, issues };
  }
}

function readYamlFile(role: 'config' | 'settings' | 'fixture', path: string, text: string): FileReading {
  const { yaml: slice } = splitSource(path, text);
  const yaml = parseYaml(slice ?? { text: '', offset: 0 });
  const faults = faultsOf(path, text, yaml);
  if (role === 'config') {
    const config = readConfig(path, text, yaml);
    return { role, config, issues: [...faults, ...config.issues] };
  }
  if (role === 'fixture') {
    const fixture = readFixture(path, text, yaml);
    return { role, fixture, issues: [...faults, ...fixture.issues] };
  }
  const settings = readSettings(path, text, yaml);
  return { role, settings, issues: [...faults, ...settings.issues] };
}

/** Reads a Markdown or YAML file, which is a card or a document. */
function readCandidate(path: string, source: CardSource): FileReading {
  const document: FileReading = { role: 'document', issues: [] };
  if (source.kind === 'markdown' && source.fence === undefined) return document;
  const start = { line: 1, column: 1 };
  if (source.fence === '+++') return { ...document, foreign: { ...start, because: 'its front matter is TOML (+++)' } };
  if (source.yaml === undefined) return readUnclosed(path, source);

  const yaml = parseYaml(source.yaml);
  const isAmongCards = isCardFolderName(parentOf(path));
  if (yaml.faults.length > 0) {
    const isMeant = source.kind === 'markdown' || isAmongCards || mentionsCardFields(source.yaml.text);
    return isMeant ? broken(path, source, faultsOf(path, source.text, yaml)) : document;
  }
  if (!isMapping(yaml.value)) return readOtherThanMapping(path, source, yaml, isAmongCards);
  if (!isAmongCards && !looksLikeCard(yaml.value, source.kind)) {
    const [key = ''] = Object.keys(yaml.value);
    const lines = new LineIndex(source.text);
    const keys = Object.keys(yaml.value).slice(0, 3).join(', ');
    const place = lines.positionOf(source.yaml.offset + Math.max(0, source.yaml.text.indexOf(key)));
    return { ...document, foreign: { ...place, because: `its fields are of another kind (${keys})` } };
  }
  const card = readCard(path, source, yaml);
  return card.card === undefined
    ? { role: 'card', issues: card.issues, unread: { name: card.name, isDefault: yaml.value.default === true } }
    : { role: 'card', issues: card.issues, card };
}

/**
 * Reports a file that is not text or is too large. Its name and its first characters tell whether it is a card or a config. If it is
 * one, the fault is an error, so that no run begins without the file.
 */
function readUndecoded(path: string, file: FolderFile, issues: readonly Issue[]): FileReading {
  const named = roleByName(path);
  const isText = file.kind === 'text';
  switch (named) {
    case 'config':
      return { role: named, issues, config: { config: { ...noConfig, file: path }, issues } };
    case 'settings':
    case 'secrets':
    case 'fixture':
      return { role: named, issues };
    case undefined: {
      const source = splitSource(path, firstTextOf(file));
      if (issues.length > 0 && isMeantAsCard(path, source)) return broken(path, source, issues);
      return { role: isText ? 'document' : 'binary', issues: issues.map(withoutCard) };
    }
    default:
      return { role: isText ? named : 'binary', issues: issues.map(withoutCard) };
  }
}

function isMeantAsCard(path: string, source: CardSource): boolean {
  if (isCardFolderName(parentOf(path)))
    return source.kind === 'yaml' || source.fence !== undefined || source.text === '';
  if (source.kind === 'markdown') return source.fence === '---' && mentionsCardFields(source.text);
  const keys = [...source.text.matchAll(/^([A-Za-z_]\w*)[ \t]*:/gm)].map(([, key = '']) => [key, null]);
  return keys.length > 0 && looksLikeCard(Object.fromEntries(keys), 'yaml');
}

/** For a file that is neither a card nor a config nor the settings, the fault is only a warning. */
function withoutCard(issue: Issue): Issue {
  if (issue.code === 'card-too-large') return makeIssue('file-too-large', issue, issue.message);
  const isEncoding = issue.code === 'utf16' || issue.code === 'not-utf8' || issue.code === 'nul-characters';
  return isEncoding ? makeIssue('file-not-text', issue, issue.message) : issue;
}

function readOtherThanMapping(path: string, source: CardSource, yaml: YamlSource, isAmongCards: boolean): FileReading {
  if (source.kind === 'yaml') {
    const text = `'${path}' must be a mapping to be a card. Write key: value lines, or move it elsewhere.`;
    return isAmongCards
      ? broken(path, source, [makeIssue('yaml-not-mapping', { file: path, line: 1, column: 1 }, text)])
      : { role: 'document', issues: [] };
  }
  const card = readCard(path, source, yaml);
  if (yaml.value === null) return { role: 'card', issues: card.issues, card };
  const place = new LineIndex(source.text).positionOf(source.yaml?.offset ?? 0);
  const text =
    'The front matter is not a mapping and is ignored: the agent gets defaults only. Write key: value lines.';
  return {
    role: 'card',
    card,
    issues: [makeIssue('front-matter-not-mapping', { file: path, ...place }, text), ...card.issues],
  };
}

/**
 * Reads front matter without a closing fence. fast-agent would use the whole text as an instruction, which is never
 * intended.
 */
function readUnclosed(path: string, source: CardSource): FileReading {
  if (!mentionsCardFields(source.text)) return { role: 'document', issues: [] };
  const opening = new LineIndex(source.text).positionOf(source.text.search(/-{3,}/));
  const text = "The front matter is not closed. Add a line '---' between it and the instruction.";
  return broken(path, source, [makeIssue('front-matter-not-closed', { file: path, ...opening }, text)]);
}

function broken(path: string, source: CardSource, issues: readonly Issue[]): FileReading {
  const written = /^name:[ \t]*["']?([^"'\r\n#]+)/m.exec(source.text)?.[1]?.trim();
  const stem = baseName(path).replace(/\.[^.]+$/, '');
  const name = (written ?? stem).replaceAll(' ', '_');
  const isDefault = /^default:[ \t]*(?:true|yes|on)\b/im.test(source.text);
  return { role: 'card', unread: { name, isDefault }, issues: issues.map((issue) => ({ ...issue, agent: name })) };
}

function faultsOf(path: string, text: string, yaml: YamlSource): Issue[] {
  const lines = new LineIndex(text);
  return yaml.faults.map(({ code, message, offset }) =>
    makeIssue(code, { file: path, ...lines.positionOf(offset) }, `The YAML cannot be read: ${message}`),
  );
}

function mentionsCardFields(text: string): boolean {
  return /^(?:type|name|instruction|agents|servers|model|description|sequence|fan_out|worker|generator)[ \t]*:/m.test(
    text,
  );
}
