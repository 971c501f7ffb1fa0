import { z } from 'zod';
import { recordOf } from '@/lib/base/record-of';

/** The key `approvals` of callboard.yaml, described in docs/approvals.md: which calls ask a person before they run. */

const names = z.array(z.string().min(1));

/** What happens to a call. */
export const approvalEffects = ['allow', 'ask', 'deny'] as const;
export type ApprovalEffect = (typeof approvalEffects)[number];

/** What happens where a call would ask. */
const approvalModes = ['ask', 'approve_all', 'reject_all'] as const;

/** The effect of one call, as a rule, a delegation or the project sets it. */
export const callEffect = z.enum(approvalEffects, { error: 'use allow, ask or deny' });
/** Files are handed over, or a person is asked for each of them. */
export const attachmentEffect = z.enum(['allow', 'ask'], { error: 'use allow or ask' });

const rule = z.strictObject({
  /** Names of tools as the model sees them, agents too. `*` stands for any characters. An empty list names none. */
  tools: names,
  /** Only calls of these agents. An empty list names none. By default the calls of every agent. */
  agents: names.optional(),
  effect: callEffect,
  /** If false, a person approves or denies the call as it is. The default is true. */
  edit: z.boolean().optional(),
  /** With `fail` a denied call ends the turn of the agent that made it. The default is `result`: the model reads it. */
  on_denied: z.enum(['result', 'fail'], { error: 'use result or fail' }).optional(),
  /** Seconds after which nobody can answer any more. There is no limit by default. */
  limit_s: z.int().min(1).max(31_536_000).optional(),
  /** What happens then. The default is `deny`. */
  at_limit: z.enum(['deny', 'fail'], { error: 'use deny or fail' }).optional(),
});

export const approvalSettings = {
  approvals: z
    .strictObject({
      /** The effect of calls that nothing else here names. The default is `allow`. */
      default: callEffect,
      mode: z.enum(approvalModes, {
        error: ({ input }) =>
          Array.isArray(input) ? `use one mode: ${approvalModes.join(', ')}` : `use ${approvalModes.join(', ')}`,
      }),
      /** With `ask` a person is asked for each file that a call hands to an agent. The default is `allow`. */
      attachments: attachmentEffect,
      /** Seconds that a run waits in its worker before it is suspended. The default is 5, and 60 while it is watched. */
      hold_s: z.number().min(0).max(3_600),
      /** The effect of the calls of an agent. */
      agents: recordOf(callEffect),
      rules: z.array(rule).max(500),
    })
    .partial()
    .default({}),
};

export type Approvals = z.output<(typeof approvalSettings)['approvals']>;
export type ApprovalRule = z.output<typeof rule>;
