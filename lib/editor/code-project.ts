import type { KnownServers } from '@/lib/base/known-servers';
import { languageOf, scanCode } from '@/lib/cards/code/code-scan';
import { patternOf } from '@/lib/cards/filter-patterns';
import type { Folder } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { findCardType } from '@/lib/cards/read/card-fields';
import type { ValueKind } from '@/lib/cards/read/field-words';
import { relativePath } from '@/lib/cards/references';
import { cardTree, configTree, type FieldTree, settingsTree } from './code-fields';

/** What the code editor knows of the project while a file is typed: the files, and what was read of them last. */
export interface CodeProject {
  readonly folder: Folder;
  readonly drawn: ParsedFolder;
  /** What servers listed when they were last tested. */
  readonly known?: KnownServers;
}

/** A name that a value may have. */
export interface KnownName {
  readonly name: string;
  /** A few words beside the name, such as the type of an agent. */
  readonly detail: string;
  /** A sentence about it. */
  readonly text: string;
}

/** Returns the fields that the file may have. Returns `undefined` for a file without known fields. */
export function treeOfFile({ drawn }: CodeProject, file: string, text: string): FieldTree | undefined {
  switch (drawn.roles.get(file)) {
    case 'settings':
      return settingsTree();
    case 'config':
      return configTree;
    case 'card':
      return cardTree(typeOfText(text));
    case 'document':
    case undefined:
      // A card that is half typed may not look like one yet.
      return /\.(?:md|markdown)$/i.test(file) && /^\uFEFF?\s*---/.test(text) ? cardTree(typeOfText(text)) : undefined;
    default:
      return undefined;
  }
}

function typeOfText(text: string) {
  const written = /^["']?type["']?:[ \t]*["']?([A-Za-z_0-9]+)/m.exec(text)?.[1];
  return findCardType(written ?? '') ?? 'agent';
}

/** Returns the names of a kind, for a value in `file`. `server` narrows the names of tools. */
export function namesOfKind(
  project: CodeProject,
  kind: ValueKind,
  file: string,
  server?: string,
): readonly KnownName[] {
  const { drawn, folder } = project;
  switch (kind) {
    case 'agent':
      return drawn.cards.map((card) => ({ name: card.name, detail: card.type, text: card.description ?? card.file }));
    case 'server':
      return Object.values(drawn.config.servers).map((one) => ({
        name: one.name,
        detail: one.transport,
        text: one.description ?? one.url ?? [one.command, ...one.args].join(' '),
      }));
    case 'tool':
      return server === undefined ? [] : toolNames(project, server);
    case 'function':
      return codeNames(folder, file, () => true);
    case 'middleware':
      return codeNames(folder, file, (least, most) => least <= 3 && most >= 3);
    case 'phase':
      return codeNames(folder, file, (least, most) => least <= 1 && most >= 1);
    case 'model':
      return modelNames(drawn);
    case 'skill':
      return [...folder.keys()].flatMap((path) => {
        if (!path.endsWith('/SKILL.md')) return [];
        return [{ name: path.slice(0, -'/SKILL.md'.length), detail: 'skill', text: path }];
      });
    case 'file':
      return [...folder.keys()].map((path) => ({ name: relativePath(file, path), detail: 'file', text: path }));
    case 'boolean':
      return ['true', 'false'].map((name) => ({ name, detail: '', text: '' }));
  }
}

function codeNames(folder: Folder, file: string, fits: (least: number, most: number) => boolean): KnownName[] {
  const names: KnownName[] = [];
  for (const [path, found] of folder) {
    const language = languageOf(path);
    if (language === undefined || found.kind !== 'text' || found.text.length > 200_000) continue;
    for (const [name, definition] of scanCode(language, found.text).known) {
      if (definition.kind !== 'function') continue;
      const { least = 0, most = Number.POSITIVE_INFINITY } = definition.positional ?? {};
      if (fits(least, most))
        names.push({
          name: `${relativePath(file, path)}:${name}`,
          detail: 'function',
          text: `${path}, line ${definition.line}`,
        });
    }
  }
  return names;
}

/** Returns the tools that a server listed, then names that cards of the project give and the server did not list. */
function toolNames({ drawn, known = {} }: CodeProject, server: string): KnownName[] {
  const listed = Object.hasOwn(known, server) ? (known[server]?.listing.tools ?? []) : [];
  const tools = listed.map(({ name, description = '' }) => ({
    name: patternOf(name),
    detail: server,
    text: description,
  }));
  const named = drawn.cards.flatMap((card) => ('tools' in card ? (card.tools[server] ?? []) : []));
  const others = new Set(named.filter((name) => !tools.some((tool) => tool.name === name)));
  return [...tools, ...[...others].map((name) => ({ name, detail: server, text: 'Another card names it.' }))];
}

function modelNames({ cards, config }: ParsedFolder): KnownName[] {
  const aliases = Object.entries(config.modelReferences).flatMap(([space, group]) =>
    Object.entries(group).map(([key, model]) => ({ name: `$${space}.${key}`, detail: 'reference', text: model })),
  );
  const used = new Set<string>(['passthrough', 'playback']);
  if (config.defaultModel !== undefined) used.add(config.defaultModel);
  for (const card of cards) if ('model' in card && card.model !== undefined) used.add(card.model);
  const plain = [...used].filter((name) => !name.startsWith('$'));
  return [...aliases, ...plain.map((name) => ({ name, detail: 'model', text: '' }))];
}
