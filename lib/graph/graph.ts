import type { CardType, ToolHookPhase } from '@/lib/cards/card';

/** Stable across edits that keep the name: `agent:lead`, `server:time`, `function:tools.py:add_one`, `builtin:shell`. */
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
      /** A name some card refers to that no card defines. */
      readonly missing: boolean;
    }
  | {
      readonly kind: 'server';
      readonly id: NodeId;
      readonly name: string;
      readonly transport: 'stdio' | 'http' | 'sse' | undefined;
      /** Used by a card but not in the config. */
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
  | 'uses';

export interface GraphEdge {
  /** `<kind>:<source>→<target>`, with `#n` for the n-th of equal ones. */
  readonly id: string;
  readonly kind: EdgeKind;
  readonly source: NodeId;
  readonly target: NodeId;
  /** 1-based position for `sequence` and `fan_out`. */
  readonly order: number | undefined;
  /** Short marks for the wire: filters, timeouts, input schema, … */
  readonly marks: readonly string[];
}

export interface HookBead {
  readonly spec: string;
  readonly file: string;
  readonly functionName: string;
  readonly phase: ToolHookPhase | 'around';
  readonly missing: boolean;
  /** Where callboard.yaml has it: `run_hooks.0`, `agent_hooks.lead.1`. Absent for a hook of the card itself. */
  readonly place?: string;
  /** A hook that needs no code: its kind. Then `spec` says what it does, and `file` is callboard.yaml. */
  readonly declarative?: string;
}

export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  /** agent node id → its hooks in order, outermost first. */
  readonly chains: Readonly<Record<NodeId, readonly HookBead[]>>;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}
