/**
 * What a form knows of a field before it sees a card: where its value stands, and which control edits it. The tables of
 * fields are made of these; the values are read from the text of the card (field-values.ts).
 */

/** The place of a value in a card or in `callboard.yaml`. */
export type FieldPath = readonly (string | number)[];

interface FieldBase {
  readonly path: FieldPath;
  readonly label: string;
  readonly hint?: string;
}

/** A field whose value is written into one text field, number field or list of choices. */
export type ValueField = FieldBase &
  (
    | { readonly kind: 'text' | 'secret'; readonly placeholder?: string }
    | { readonly kind: 'lines'; readonly placeholder?: string }
    | {
        readonly kind: 'number';
        readonly whole: boolean;
        /** The default, in words. */
        readonly placeholder: string;
        /** Smaller numbers are refused and not written. */
        readonly least?: number;
      }
    | {
        readonly kind: 'choice';
        readonly options: readonly string[];
        /** The text shown while the field is not set. It may be one of the options. */
        readonly unset: string;
      }
    /** True, false, or not set. */
    | { readonly kind: 'yes-no'; readonly unset: string }
    /** One string per line. `\n` stands for a line break within one. */
    | { readonly kind: 'strings'; readonly placeholder?: string }
    /** Any other value, as JSON. */
    | { readonly kind: 'json'; readonly shape: 'mapping' | 'any'; readonly placeholder?: string }
  );

/** A field with a control of its own. */
export type SpecialField = FieldBase &
  (
    | { readonly kind: 'flag'; readonly fallback: boolean }
    | {
        /** The name of one agent. */
        readonly kind: 'agent';
        /** The text for "none". It is absent for a field that every card of the type needs. */
        readonly none?: string;
      }
    | {
        readonly kind: 'agents';
        /** True if a name may occur several times. */
        readonly repeats?: boolean;
        /** If set, `*` may be chosen, with this label. */
        readonly everyone?: string;
      }
    /** The name of a model; `unset` is the text for "none". */
    | { readonly kind: 'model'; readonly unset: string }
    | { readonly kind: 'servers' }
    /** Patterns for each server that the card uses. */
    | { readonly kind: 'filter' }
    /** Words, of which some are known. */
    | { readonly kind: 'words'; readonly known: readonly string[]; readonly placeholder: string }
    /** Files of the project, relative to the card. */
    | { readonly kind: 'files' }
    /** Directories of skills, relative to the project. */
    | { readonly kind: 'skills' }
    /** Functions in code files, such as `tools.py:add_one`. */
    | { readonly kind: 'functions'; readonly placeholder: string }
    | { readonly kind: 'hooks' }
    /** A JSON schema of an object. */
    | { readonly kind: 'schema' }
    /** Names with texts, a row for each. */
    | { readonly kind: 'pairs' }
    /** Servers that the card defines itself. */
    | { readonly kind: 'connections' }
    /** All request parameters as one JSON object. */
    | { readonly kind: 'parameters' }
    /** Tool groups by name. */
    | { readonly kind: 'groups' }
  );

export type CardField = ValueField | SpecialField;

export interface FieldGroup {
  readonly title: string;
  readonly fields: readonly CardField[];
  /** True for a group that is closed while none of its fields is set. */
  readonly folded?: boolean;
  readonly hint?: string;
  /** Absent for fields of the card. */
  readonly in?: 'settings';
}

type Rest = Partial<{ readonly hint: string; readonly placeholder: string }>;

export function text(key: string, label: string, rest: Rest = {}): ValueField {
  return { kind: 'text', path: [key], label, ...rest };
}

export function lines(key: string, label: string, rest: Rest = {}): ValueField {
  return { kind: 'lines', path: [key], label, ...rest };
}

export function integer(
  key: string,
  label: string,
  placeholder: string,
  rest: { readonly least?: number; readonly hint?: string } = {},
): ValueField {
  return { kind: 'number', path: [key], label, whole: true, placeholder, ...rest };
}

export function seconds(key: string, label: string, placeholder: string): ValueField {
  return { kind: 'number', path: [key], label: `${label} (s)`, whole: false, placeholder };
}

export function flag(key: string, label: string, fallback: boolean, hint?: string): SpecialField {
  return { kind: 'flag', path: [key], label, fallback, ...(hint === undefined ? {} : { hint }) };
}

export function choice(
  key: string,
  label: string,
  options: readonly string[],
  unset: string,
  hint?: string,
): ValueField {
  return { kind: 'choice', path: [key], label, options, unset, ...(hint === undefined ? {} : { hint }) };
}

export function agent(key: string, label: string, none?: string): SpecialField {
  return { kind: 'agent', path: [key], label, ...(none === undefined ? {} : { none }) };
}

export function agents(key: string, label: string): SpecialField & { readonly kind: 'agents' } {
  return { kind: 'agents', path: [key], label };
}

/** Returns the same field below a path: a field of an entry in a list, or of one agent in `callboard.yaml`. */
export function below<T extends CardField>(prefix: FieldPath, field: T): T {
  return { ...field, path: [...prefix, ...field.path] };
}
