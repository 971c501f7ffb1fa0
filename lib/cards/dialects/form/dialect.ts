import type { Json } from '@/lib/base/json';
import type { Card } from '@/lib/cards/card';
import type { FastAgentConfig } from '@/lib/cards/config';
import type { Folder } from '@/lib/cards/folder';
import type { FieldUse } from '@/lib/cards/import-report';
import type { Path } from '@/lib/cards/yaml/yaml-source';

/** The fields of a card, or of the config, that the text of another program's file stands for. Names and values are those of AgentCards. */
export type CardFields = Record<string, unknown>;

/** A mapping as it is written in a file. */
export type Written = Readonly<Record<string, unknown>>;

/** Something about a file that its author should know. Notes with the same key become one Issue for the folder. */
export interface DialectNote {
  readonly key: string;
  readonly use: Exclude<FieldUse, 'works'>;
  /** Where it is written: a path of the file's own fields. */
  readonly path: Path;
  /** The words that this file adds to the sentence, such as the names of tools. */
  readonly words: readonly string[];
  /** Returns the sentences for the words of all files. */
  readonly say: (words: readonly string[]) => string;
}

/** What a field needs to know of the other files of the folder. */
export interface DialectContext {
  /** The names of the servers that the project defines. Empty where a file is read alone. */
  readonly servers: readonly string[];
  /** Returns the name of an agent as its file writes it. Without it, names are written as cards have them. */
  spelled?(name: string): string;
}

/**
 * A field of a dialect. `read` and `write` are the two directions between a file and a card. They agree: what `write` returns
 * is read as the fields that were asked for, otherwise the edit is refused.
 */
export interface DialectField {
  readonly name: string;
  readonly use: FieldUse;
  /** What it becomes, or why it has no effect or cannot run: a clause after a colon, for messages and docs. */
  readonly why: string;
  /** The fields of the card that this one has a part in. */
  readonly gives: readonly string[];
  /** Returns the place in the value for a place in the card's field. Without it, the whole value is the place. */
  inner?(rest: Path): Path;
  /** Adds what the value says to the card. The fields of a table are read in its order. */
  read?(value: unknown, card: CardFields, note: (note: DialectNote) => void, context: DialectContext): void;
  /** Returns the value to be written for a card, `undefined` for none. `was` is the card before the edit. */
  write?(
    card: Readonly<CardFields>,
    written: Written,
    was: { readonly card: Readonly<CardFields>; readonly context: DialectContext },
  ): Json | undefined;
}

/** A kind of file of a dialect. */
export interface DialectForm {
  /** What stands in such a file: one agent, or the config of the folder. */
  readonly role: 'card' | 'config';
  /** `body`: a text without fields. */
  readonly syntax: 'front-matter' | 'json' | 'json-with-comments' | 'body';
  readonly fields: readonly DialectField[];
  /** Fields that each such card has without saying so. */
  readonly always: Readonly<Record<string, Json>>;
  /** Returns the fields that the path says, such as the name. A field of the file counts more. */
  placed?(path: string): Readonly<Record<string, Json>>;
  /** True if the card or the config is there without its file, which the first change creates. */
  readonly withoutFile: boolean;
  /** The field that makes a file with fields an agent. Without it the file is a document. */
  readonly identity?: string;
  /** Other fields without which the program does not load the agent. */
  readonly required?: readonly string[];
  /** Returns the fields that a new card has beside its name. */
  newFields?(name: string): Readonly<Record<string, Json>>;
  /** What the program does with a field that its documents do not name. `undefined` if such fields are not told. */
  readonly unknown?: string;
  /** Returns the fields of a file after a server has got another name. Without it, the fields of its card are edited. */
  renameServer?(written: Written, from: string, to: string, context: DialectContext): Written;
  /** Returns fields in one of several ways of saying the same, so that an edit and what was written can be compared. */
  normal?(fields: Readonly<CardFields>): CardFields;
  /** Returns why an agent cannot have this name, and what to write. */
  nameFault?(name: string): string | undefined;
  /** Returns the sentence for a change of a field of cards that the form has no place for. `written` are the fields of the file. */
  noPlace(field: string, written: Written): string;
}

/** An agent of a folder, as the file alone says it. */
export interface DialectAgent {
  readonly card: Card;
  readonly form: DialectForm;
  readonly written: Written;
}

/** What the files of a dialect say together. */
export interface DialectProject {
  readonly agents: readonly DialectAgent[];
  readonly config: FastAgentConfig;
  readonly folder: Folder;
}

/** A note at a place of a file. */
export interface PlacedNote {
  readonly file: string;
  readonly note: DialectNote;
}

export interface DialectWhole {
  /** The cards, each with what the other files say about it, in any order. A card that is left out does not count. */
  readonly cards: readonly Card[];
  readonly notes: readonly PlacedNote[];
  /** Files that say something about the agents and cannot be read. No run begins with them. */
  readonly faults?: readonly { readonly file: string; readonly message: string }[];
}

/** A kind of file of a program that is no agent and no config, known by its place. It says what becomes of the file. */
export interface DialectDocument {
  /** Files with the same key are one Issue. */
  readonly key: string;
  readonly place: RegExp;
  readonly becomes: 'settings' | 'skill' | 'script' | 'kept' | 'not-read';
  /** What the program does with the file, what happens here, and what to do: sentences for the report. */
  readonly say: string;
  /** The use that an Issue tells. Without it, only the report names the file. */
  readonly told?: Exclude<FieldUse, 'works'>;
}

/** A format of agent files of another program. It is pure data and functions; `list.ts` names every dialect. */
export interface Dialect {
  readonly id: string;
  /** The name of the program, as people write it. */
  readonly name: string;
  /** The folder for a new agent. */
  readonly directory: string;
  /** The end of the name of a new agent's file. Without it, `.md`. */
  readonly fileEnd?: string;
  /** The file of an agent that is there without a file, until it is changed. */
  readonly mainFile: string | undefined;
  /** The file of servers, also as long as it does not exist. */
  readonly configFile: string | undefined;
  /** A folder of the program in a project. The folder above it is the project. */
  readonly home: string | undefined;
  /** Folders and files whose presence shows that a folder is the top of a project. */
  readonly rootNames: readonly string[];
  /**
   * Recognises a file by its place. `document` is a file of the program that is kept and is no card, as each file in the home of
   * another project further down.
   */
  formOf(path: string): DialectForm | 'document' | undefined;
  /** What becomes of its other files, for the report of an import. The first row whose place fits counts. */
  readonly documents?: readonly DialectDocument[];
  /** True for a folder that is one of this program, though it has no agent and no AgentCard yet. */
  isProject?(folder: Folder): boolean;
  /** Returns the texts of other files that name agents, by path, with the new names. `names` has these by the old ones. */
  withRenamedAgents?(folder: Folder, names: ReadonlyMap<string, string>): ReadonlyMap<string, string>;
  /** Completes the agents with what stands in other files. Pure, and does not throw. */
  together(project: DialectProject): DialectWhole;
}
