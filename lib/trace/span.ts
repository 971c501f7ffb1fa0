/**
 * A span is an interval folded from events. Bars are drawn from spans. Spans are stored as columns, because a run may have
 * a million.
 *
 *   lane 0  lead           ████ model ████ ░░░ tool: agent__kid ░░░░░░░░ ███ model
 *   lane 1    kid[1]            ░queued░ ▒setup▒ ███ model ██ tool ██ model
 *
 * A decision of a workflow takes no time: its span ends where it starts, and it is drawn as a mark.
 */
export const spanKinds = ['instance', 'queued', 'model', 'tool', 'hook', 'setup', 'decision'] as const;
export type SpanKind = (typeof spanKinds)[number];

export const spanStatuses = ['open', 'ok', 'error', 'cancelled', 'timeout', 'interrupted'] as const;
export type SpanStatus = (typeof spanStatuses)[number];
