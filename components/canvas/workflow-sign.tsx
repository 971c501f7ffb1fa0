import { ListRestart, ListTodo, Vote } from 'lucide-react';
import type { WorkflowSign as Sign } from '@/lib/graph/graph';
import { signWidth } from '@/lib/graph/size';

/** Shows at the start of a workflow's wires how it uses its members: at once, one of them, by a plan, by votes. */
export function WorkflowSign({ sign }: { readonly sign: Sign }) {
  return (
    <span
      aria-hidden
      title={words[sign]}
      className="absolute top-1/2 left-full flex -translate-y-1/2 items-center justify-center"
      style={{ width: signWidth }}
    >
      <span
        className={`absolute top-1/2 right-0 left-0 h-px ${sign === 'fork' || sign === 'vote' ? 'bg-model' : 'bg-agent'}`}
      />
      <Shape sign={sign} />
    </span>
  );
}

const words: Readonly<Record<Sign, string>> = {
  fork: 'All at once',
  choice: 'The router chooses',
  plan: 'By a plan',
  replan: 'By a plan that is made again after each step',
  vote: 'By votes',
};

function Shape({ sign }: { readonly sign: Sign }) {
  switch (sign) {
    case 'fork':
      return <span className="relative h-10 w-1 rounded-full bg-model" />;
    case 'choice':
      return <span className="relative size-4 rotate-45 rounded-[2px] border-[1.5px] border-agent bg-agent-soft" />;
    case 'plan':
    case 'replan': {
      const Icon = sign === 'plan' ? ListTodo : ListRestart;
      return (
        <span className="relative flex h-7 w-6 items-center justify-center rounded-sm border border-agent bg-agent-soft text-agent">
          <Icon size={15} />
        </span>
      );
    }
    case 'vote':
      return (
        <span className="relative flex size-6 items-center justify-center rounded-full border border-model bg-model-soft text-model">
          <Vote size={14} />
        </span>
      );
  }
}
