import type { CardType } from '@/lib/cards/card';
import type { ChainEntry } from './hook-chain';

/**
 * An id made from the name, such as `agent:lead`, `server:time`, `function:tools.py:add_one`, `builtin:shell`. It changes
 * only on renaming.
 */
export type NodeId = string;

export type GraphNode =
  | {
      readonly kind: 'agent';
      readonly id: NodeId;
      readonly name: string;
      readonly type: CardType;
      readonly file: string;
      readonly isDefault: boolean;
      readonly description: string | undefined;
      readonly model: string | undefined;
      /** A card refers to this name, but no card defines it. */
      readonly missing: boolean;
      /** How a workflow uses its members. Absent for cards of type `agent`. */
      readonly workflow?: WorkflowFace;
      /** What its lists of workers allow that no wire shows. */
      readonly workers?: WorkerFace;
    }
  | {
      readonly kind: 'server';
      readonly id: NodeId;
      readonly name: string;
      readonly transport: 'stdio' | 'http' | 'sse' | undefined;
      /** A card uses this server, but the config does not define it. */
      readonly missing: boolean;
    }
  | {
      readonly kind: 'function';
      readonly id: NodeId;
      readonly name: string;
      readonly file: string;
      readonly missing: boolean;
    }
  | { readonly kind: 'builtin'; readonly id: NodeId; readonly name: 'shell' | 'human_input' | 'skills' };

/** What the node of an agent shows of its worker tools. */
export interface WorkerFace {
  /** True if `worker_call` may call every agent of the project. */
  readonly everyone: boolean;
  /** True if it may create agents during a run, with `worker_create`. */
  readonly creates: boolean;
}

/** What the node of a workflow shows besides its name. */
export interface WorkflowFace {
  /**
   * A few words, such as `3 steps in order`, `first to lead by 3` or the host of a remote agent. `undefined` if its wires
   * say enough.
   */
  readonly words: string | undefined;
  /** The sign at the start of its wires. `undefined` if its wires say enough. */
  readonly sign: WorkflowSign | undefined;
}

/**
 * `fork` runs all members at once, `choice` one of them, `plan` follows a plan, `replan` makes a new plan each round, and
 * `vote` decides by votes.
 */
export type WorkflowSign = 'fork' | 'choice' | 'plan' | 'replan' | 'vote';

export type EdgeKind =
  | 'delegation'
  | 'sequence'
  | 'fan_out'
  | 'fan_in'
  | 'generator'
  | 'evaluator'
  | 'route'
  | 'plan'
  | 'worker'
  /** The source may call the target by its name (`toolsets` in callboard.yaml). The target is no child. */
  | 'may_call'
  | 'uses';

export interface GraphEdge {
  /** The form is `<kind>:<source>→<target>`, followed by `#n` for the n-th equal edge. */
  readonly id: string;
  readonly kind: EdgeKind;
  readonly source: NodeId;
  readonly target: NodeId;
  /** The position in a `sequence` or `fan_out`, counted from 1. */
  readonly order: number | undefined;
  /** Short labels on the wire for filters, timeouts, an input schema and so on. */
  readonly marks: readonly string[];
}

export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  /** The hook chain of each agent node that has one. */
  readonly chains: Readonly<Record<NodeId, readonly ChainEntry[]>>;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}
