/** What becomes of the files of a folder that is opened as a project, before or after it is made. It names every file and every field. */
export interface ImportReport {
  /** The format of the agents: `AgentCards`, or the name of the program whose agents they are. */
  readonly format: string;
  /** Every file of the folder, sorted by path. */
  readonly files: readonly ReportedFile[];
  /** Agents that are there without a file, such as the main agent of a program. */
  readonly withoutFile: readonly string[];
}

/** What becomes of a field: it has its effect here, it stays in the file without one, or it asks for something that does not exist here. */
export type FieldUse = 'works' | 'kept' | 'cannot-run';

/** What a file is in the project. `kept`: it comes along as it is. `not-read`: it says something about agents that is lost here. */
export type Becomes =
  | 'agent'
  | 'instruction'
  | 'servers'
  | 'settings'
  | 'skill'
  | 'script'
  | 'test'
  | 'secrets'
  | 'kept'
  | 'not-read';

export interface ReportedFile {
  readonly file: string;
  readonly becomes: Becomes;
  /** The agents, servers or skills that stand in the file. */
  readonly names: readonly string[];
  /** What is said of the file as a whole: what it is, what is lost, why, and what to do. */
  readonly notes: readonly ReportedNote[];
  /** Each field of the file. Documents have none. */
  readonly fields: readonly ReportedField[];
}

export interface ReportedField {
  readonly field: string;
  /** Counts from 1. */
  readonly line: number;
  readonly use: FieldUse;
  /** What is lost, why, and what to do. Empty for a field of which there is nothing to say. */
  readonly notes: readonly ReportedNote[];
}

/** Sentences about a file or a field. */
export interface ReportedNote {
  readonly use: FieldUse;
  readonly line: number;
  readonly message: string;
}

/** True for a file that is not read, or that has something that cannot run here. */
export function losesSomething({ becomes, fields, notes }: ReportedFile): boolean {
  return becomes === 'not-read' || [...fields, ...notes].some(({ use }) => use === 'cannot-run');
}

/** Counts the files that lose something. */
export function lostFiles(files: readonly ReportedFile[]): number {
  return files.filter(losesSomething).length;
}

/** The words of users for what a file becomes. */
export const becomesWords: Readonly<Record<Becomes, string>> = {
  agent: 'agent',
  instruction: 'instruction of',
  servers: 'servers',
  settings: 'settings',
  skill: 'skill',
  script: 'script',
  test: 'test',
  secrets: 'secrets',
  kept: 'kept as it is',
  'not-read': 'not read',
};

export const useWords: Readonly<Record<FieldUse, string>> = {
  works: 'works',
  kept: 'kept without effect',
  'cannot-run': 'cannot run here',
};
