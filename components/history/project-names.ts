export interface ProjectName {
  readonly id: string;
  readonly name: string;
}

/** Finds names of projects. Each function rejects with an Error whose message users may see. */
export interface ProjectNames {
  /** Returns some of the projects with this text in their names, and how many there are in all. */
  readonly find: (text: string) => Promise<{ readonly projects: readonly ProjectName[]; readonly total: number }>;
  /** Returns the name of a project, or `undefined` if there is no such project. */
  readonly nameOf: (id: string) => Promise<string | undefined>;
}
