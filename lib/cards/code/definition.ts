/**
 * The names at the top level of a code file, found in its text. Nothing runs. The checker works in browsers too, where
 * parsers for each language would be too large, so it cannot decide everything. `known` holds certain definitions, and
 * `mayDefine` is false for names that are certainly not defined. Only loading can decide about all other names.
 */
export interface CodeScan {
  /** False if quotes or brackets do not match, so that nothing is known. */
  readonly isSure: boolean;
  readonly known: ReadonlyMap<string, Definition>;
  mayDefine(name: string): boolean;
}

export type Definition = FunctionDefinition | { readonly kind: 'value'; readonly line: number };

/** What is known about a function. Absent fields are unknown. */
export interface FunctionDefinition {
  readonly kind: 'function';
  readonly line: number;
  readonly isAsync?: boolean;
  /** The number of positional arguments it accepts. */
  readonly positional?: { readonly least: number; readonly most: number };
  /** True if the file exports it. Only JavaScript files have this field. */
  readonly isExported?: boolean;
}
