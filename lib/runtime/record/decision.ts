/**
 * What a workflow decides while it runs (docs/workflows.md). Texts are whole: a model's reasons, a judge's feedback, the tasks of
 * a plan.
 */
export type WorkflowDecision =
  /** A router chose one of its agents. */
  | {
      readonly what: 'route';
      readonly agent: string;
      readonly confidence: string;
      readonly reasoning?: string | undefined;
      /** The agents it could choose from. */
      readonly candidates: readonly string[];
    }
  /** An evaluator rated an answer. `limit`: another refinement is wanted, but all that are allowed have been made. */
  | {
      readonly what: 'rating';
      /** From 1. */
      readonly attempt: number;
      readonly rating: string;
      readonly feedback: string;
      readonly focusAreas: readonly string[];
      readonly needsImprovement: boolean;
      readonly minRating: string;
      readonly outcome: 'accepted' | 'refine' | 'limit';
    }
  /** A planner decided on the next tasks, which run in parallel; or, with `isComplete`, that nothing is left to do. */
  | {
      readonly what: 'plan';
      /** From 1. */
      readonly iteration: number;
      readonly description: string;
      readonly tasks: readonly { readonly agent: string; readonly description: string }[];
      readonly isComplete: boolean;
    }
  | { readonly what: 'plan_end'; readonly reason: 'complete' | 'iterations'; readonly steps: number }
  /** One sample of a worker was counted or, with `discarded`, left out. */
  | {
      readonly what: 'vote';
      /** From 1. */
      readonly sample: number;
      /** The beginning of the answer. */
      readonly answer: string;
      /** Votes for this answer so far. */
      readonly votes: number;
      /** Votes by which the leading answer leads. */
      readonly margin: number;
      /** Why the sample does not count. */
      readonly discarded?: string | undefined;
    }
  /** The vote ended. `plurality`: no answer led by `k`, so the one with the most votes was taken. */
  | {
      readonly what: 'votes';
      readonly samples: number;
      readonly discarded: number;
      readonly margin: number;
      readonly k: number;
      readonly votes: readonly { readonly answer: string; readonly count: number }[];
      readonly outcome: 'won' | 'plurality';
    }
  /** The task that a remote agent made for the message, when its id or its state became known. */
  | {
      readonly what: 'remote_task';
      readonly taskId: string;
      readonly contextId?: string | undefined;
      readonly state: string;
    };
