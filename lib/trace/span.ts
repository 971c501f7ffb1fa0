/**
 * A span is an interval folded from events. Bars are drawn from spans. Spans are stored as columns, because a run may have
 * a million.
 *
 *   lane 0  lead           ████ model ████ ░░░ tool: agent__kid ░░░░░░░░ ███ model
 *   lane 1    kid[1]            ░queued░ ▒setup▒ ███ model ██ tool ██ model
 */
export const spanKinds = ['instance', 'queued', 'model', 'tool', 'hook', 'setup'] as const;
export type SpanKind = (typeof spanKinds)[number];

export const spanStatuses = ['open', 'ok', 'error', 'cancelled', 'timeout', 'interrupted'] as const;
export type SpanStatus = (typeof spanStatuses)[number];
