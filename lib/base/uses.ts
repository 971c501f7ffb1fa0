/** What can be asked about: where is it used? */
export const partKinds = ['agent', 'hook', 'tool', 'server', 'skill'] as const;
export type PartKind = (typeof partKinds)[number];

/** A part by its name. */
export interface AskedPart {
  readonly kind: PartKind;
  readonly name: string;
}

/** A part of a folder that others may use too. */
export interface UsedPart {
  readonly kind: PartKind;
  /** An agent, `file.ts:function` of a hook or function tool, the kind of a hook without code, a server of the config, or a skill. */
  readonly name: string;
  /** Equal for equal content: code, the address or command of a server, the text of a skill. Empty for an agent. */
  readonly hash: string;
  /** The agents that use it, sorted. For an agent: those that may call it. `*` stands for every agent (`run_hooks`). */
  readonly agents: readonly string[];
  /** The tests of the folder whose agents reach it, sorted. */
  readonly tests: readonly string[];
}

/** A set of files in which a part is used. */
export interface PartUse {
  readonly project: string;
  readonly projectName: string;
  /** True in the project that was asked about. */
  readonly isOwn: boolean;
  /** Drafts and labels with these files, such as `main draft` or `live (revision 3)`. */
  readonly places: readonly string[];
  readonly agents: readonly string[];
  readonly tests: readonly string[];
  /** False if the part has the same name there, and other content. */
  readonly isSame: boolean;
  /** Runs of exactly these files in the last 30 days. */
  readonly runs: number;
}

export interface PartUses {
  readonly uses: readonly PartUse[];
  /** Remembered approvals of its calls in the project that was asked about. */
  readonly grants: number;
  /** Runs of the last 30 days in the project that was asked about, whose files had the part and are no draft or label now. */
  readonly earlierRuns: number;
  /** Sets of files that could not be looked into this time. */
  readonly unread: number;
}

/** What names a secret. `mirror` has the host of its remote as name, the others their names in the folder. */
export interface SecretNamer {
  readonly kind: 'server' | 'provider' | 'agent' | 'mirror';
  readonly name: string;
}

/** A variable that a folder names and that a secret may provide, or the key that serves its models. */
export interface NamedSecret {
  readonly kind: 'secret';
  readonly name: string;
  readonly by: readonly SecretNamer[];
}

/** Something in a project that names a secret now. */
export interface SecretNaming extends SecretNamer {
  readonly project: string;
  readonly projectName: string;
  /** Drafts and labels whose files name it, such as `main draft` or `live (revision 3)`; empty for a mirror. */
  readonly places: readonly string[];
}
