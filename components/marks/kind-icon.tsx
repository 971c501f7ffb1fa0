import {
  Bot,
  Boxes,
  Braces,
  GitFork,
  Globe,
  ListChecks,
  ListOrdered,
  type LucideIcon,
  Network,
  Plug,
  Repeat2,
  Route,
  SquareTerminal,
  Trophy,
} from 'lucide-react';
import type { GraphNode } from '@/lib/graph/graph';

/** Returns the colour and icon of a kind. Both are always shown, for people who cannot tell the colours apart. */
export function kindLook(node: Pick<GraphNode, 'kind'> & { readonly type?: string }): {
  readonly Icon: LucideIcon;
  readonly tone: string;
} {
  switch (node.kind) {
    case 'agent':
      return { Icon: agentIcon(node.type), tone: 'bg-agent-soft text-agent' };
    case 'server':
      return { Icon: Plug, tone: 'bg-server-soft text-server' };
    case 'function':
      return { Icon: Braces, tone: 'bg-function-soft text-function' };
    case 'builtin':
      return { Icon: SquareTerminal, tone: 'bg-builtin-soft text-builtin' };
  }
}

function agentIcon(type: string | undefined): LucideIcon {
  switch (type) {
    case 'chain':
      return ListOrdered;
    case 'parallel':
      return GitFork;
    case 'evaluator_optimizer':
      return Repeat2;
    case 'router':
      return Route;
    case 'orchestrator':
      return Network;
    case 'iterative_planner':
      return ListChecks;
    case 'MAKER':
      return Trophy;
    case 'a2a':
      return Globe;
    case 'agent':
      return Bot;
    default:
      return Boxes;
  }
}

export function KindIcon(props: { readonly node: Parameters<typeof kindLook>[0]; readonly size?: number }) {
  const { Icon, tone } = kindLook(props.node);
  const size = props.size ?? 20;
  return (
    <span
      className={`inline-flex shrink-0 items-center justify-center rounded-sm ${tone}`}
      style={{ width: size, height: size }}
      aria-hidden
    >
      <Icon size={Math.round(size * 0.65)} strokeWidth={2} />
    </span>
  );
}
