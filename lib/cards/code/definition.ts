/**
 * The names at the top level of a code file, found in its text. Nothing runs. The checker works in browsers too, where parsers
 * for each language would be too large, so there are three answers: `known` holds certain definitions, `mayDefine` is false for
 * names that are certainly not defined, and for all other names only loading can decide.
 */
export interface CodeScan {
  /** False: quotes or brackets do not match, so nothing is known. */
  readonly isSure: boolean;
  readonly known: ReadonlyMap<string, Definition>;
  mayDefine(name: string): boolean;
}

export type Definition = FunctionDefinition | { readonly kind: 'value'; readonly line: number };

/** Absent fields are unknown. */
export interface FunctionDefinition {
  readonly kind: 'function';
  readonly line: number;
  readonly isAsync?: boolean;
  /** The number of positional arguments it accepts. */
  readonly positional?: { readonly least: number; readonly most: number };
  /** JavaScript: the file exports it. */
  readonly isExported?: boolean;
}
