/**
 * What a code file says of the names at its top level, by reading its text only: nothing of a project runs to check it, and
 * the checker runs in a browser, where a parser of each language would weigh more than it. So there are three answers:
 * `known` has what is certain, `mayDefine` is false where it is certain that there is nothing of the name, and in between
 * only loading can tell.
 */
export interface CodeScan {
  /** False: the text does not come out even, and nothing is known. */
  readonly isSure: boolean;
  readonly known: ReadonlyMap<string, Definition>;
  mayDefine(name: string): boolean;
}

export type Definition = FunctionDefinition | { readonly kind: 'value'; readonly line: number };

/** What is absent cannot be told. */
export interface FunctionDefinition {
  readonly kind: 'function';
  readonly line: number;
  readonly isAsync?: boolean;
  /** How many positional arguments it takes. */
  readonly positional?: { readonly least: number; readonly most: number };
  /** JavaScript: other files can reach it. */
  readonly isExported?: boolean;
}
