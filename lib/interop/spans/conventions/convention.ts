import type { ImportedKind } from '@/lib/interop/log/imported-step';
import type { ReceivedSpan } from '@/lib/interop/otlp/received-span';
import type { FactNames } from '@/lib/interop/spans/reading/fact';
import type { SpanReader } from '@/lib/interop/spans/reading/span-reader';
import type { StepFields } from '@/lib/interop/spans/reading/step-fields';
import type { RunError } from '@/lib/runtime/record/events';

/** A span that is read, with the kind that was found. */
export interface Reading {
  readonly span: ReceivedSpan;
  readonly reader: SpanReader;
  readonly kind: ImportedKind;
}

/**
 * How one framework writes its spans. A new framework is one file with such an object, and a line in `list.ts`. All members are
 * optional: what a convention does not say, others or the names say.
 */
export interface Convention {
  /** The key of the source (`lib/trace/run-source.ts` has its name), and whether a span is from it. */
  readonly source?: { readonly key: string; readonly isFrom: (span: ReceivedSpan) => boolean };
  /** Returns the kind of a span of this framework; `undefined` for others. */
  readonly kind?: (span: ReceivedSpan, reader: SpanReader) => ImportedKind | undefined;
  /** The names of the attributes that say a fact, the best first. */
  readonly names?: FactNames;
  /** Prefixes of attributes whose texts are JSON, so that `"a"` is the text a. */
  readonly jsonTexts?: readonly string[];
  /** Returns facts that the names alone cannot give: those inside of JSON, events and names of spans. They win over the names. */
  readonly read?: (reading: Reading) => StepFields | undefined;
  /** Returns the error of a span whose status does not say that it failed. */
  readonly failure?: (span: ReceivedSpan, reader: SpanReader) => RunError | undefined;
  /** True for a span that is only the framework's own work around others. It is folded into its call or agent. */
  readonly isNoise?: (span: ReceivedSpan, reader: SpanReader) => boolean;
}

/** Returns a test for spans of a library. */
export const isScope =
  (pattern: RegExp) =>
  ({ scope }: ReceivedSpan): boolean =>
    pattern.test(scope);

/** Returns a test for spans with an attribute whose name begins so. */
export const hasAttribute =
  (prefix: string) =>
  ({ attributes }: ReceivedSpan): boolean =>
    Object.keys(attributes).some((key) => key.startsWith(prefix));

/** Finds a word in a table of kinds, in any case. */
export function kindIn(
  kinds: Readonly<Record<string, ImportedKind>>,
  word: string | undefined,
): ImportedKind | undefined {
  const key = word?.toLowerCase();
  return key !== undefined && Object.hasOwn(kinds, key) ? kinds[key] : undefined;
}
