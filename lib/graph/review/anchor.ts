import { z } from 'zod';

/** What a comment of a review is about. `line` counts from 1, and `to` is the last line. */

const name = z
  .string()
  .min(1)
  .max(512)
  .regex(/^[^\0\p{Surrogate}]*$/u, 'Leave out characters that are no text.');
const line = z.int().min(1).max(10_000_000);

export const reviewAnchor = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('review') }),
  z
    .strictObject({ kind: z.literal('line'), file: name, from: line, to: line })
    .refine(({ from, to }) => from <= to, 'The last line is before the first one.'),
  z.strictObject({ kind: z.literal('agent'), agent: name }),
  /** A server of the configuration. */
  z.strictObject({ kind: z.literal('server'), server: name }),
  /** `hook` is written as in the card: `hooks.ts:audit`, or what the canvas says of a hook without code. */
  z.strictObject({ kind: z.literal('hook'), agent: name, hook: name }),
  /** `tool` is the name of a function, or of a tool of an MCP server. */
  z.strictObject({ kind: z.literal('tool'), agent: name, tool: name }),
  z.strictObject({ kind: z.literal('edge'), from: name, to: name }),
  /** `field` is written as in the card: `request_params`. */
  z.strictObject({ kind: z.literal('field'), agent: name, field: name }),
]);
export type ReviewAnchor = z.output<typeof reviewAnchor>;

/** Says what an anchor is about, in a few words. */
export function anchorWords(anchor: ReviewAnchor): string {
  switch (anchor.kind) {
    case 'review':
      return 'the whole change';
    case 'line':
      return anchor.from === anchor.to
        ? `${anchor.file}, line ${anchor.from}`
        : `${anchor.file}, lines ${anchor.from} to ${anchor.to}`;
    case 'agent':
      return `the agent '${anchor.agent}'`;
    case 'server':
      return `the server '${anchor.server}'`;
    case 'hook':
      return `the hook ${anchor.hook} of '${anchor.agent}'`;
    case 'tool':
      return `the tool '${anchor.tool}' of '${anchor.agent}'`;
    case 'edge':
      return `the edge from '${anchor.from}' to '${anchor.to}'`;
    case 'field':
      return `the field ${anchor.field} of '${anchor.agent}'`;
  }
}

/** True if two anchors are about the same part. */
export function isSameAnchor(a: ReviewAnchor, b: ReviewAnchor): boolean {
  return a.kind === b.kind && anchorWords(a) === anchorWords(b);
}
