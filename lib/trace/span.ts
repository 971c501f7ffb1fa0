/**
 * A span is an interval folded from events. Bars are drawn from spans. Spans are stored as columns, because a run may have
 * a million.
 *
 *   lane 0  lead           ████ model ████ ░░░ tool: agent__kid ░░░░░░░░ ███ model
 *   lane 1    kid[1]            ░queued░ ▒setup▒ ███ model ██ tool ██ model
 *
 * A decision of a workflow takes no time: its span ends where it starts, and it is drawn as a mark. A question to a person is a
 * span of kind `waiting` inside the call that asks. A span of kind `framework` is a framework's own work in an imported run: it is in
 * a trace only when all spans are asked for, and it is no step.
 */
export const spanKinds = [
  'instance',
  'queued',
  'model',
  'tool',
  'hook',
  'setup',
  'decision',
  'waiting',
  'framework',
] as const;
export type SpanKind = (typeof spanKinds)[number];

/** True for what is drawn as a line below the bars of its lane. */
export function isLine(kind: SpanKind): boolean {
  return kind === 'hook' || kind === 'framework';
}

export const spanStatuses = ['open', 'ok', 'error', 'cancelled', 'timeout', 'interrupted'] as const;
export type SpanStatus = (typeof spanStatuses)[number];

/** The number that stands for each kind in the columns. */
export const kindCodes = codesOf(spanKinds);
/** The number that stands for each status in the columns. */
export const statusCodes = codesOf(spanStatuses);

/** Works like `isLine` for the number of a kind. */
export function isLineCode(kind: number | undefined): boolean {
  return kind === kindCodes.hook || kind === kindCodes.framework;
}

/** Returns the place of each name in a list. */
export function codesOf<Name extends string>(names: readonly Name[]): Readonly<Record<Name, number>> {
  return Object.fromEntries(names.map((name, place) => [name, place])) as Readonly<Record<Name, number>>;
}
