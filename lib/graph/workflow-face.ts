import type { Card } from '@/lib/cards/card';
import type { WorkflowFace } from './graph';

/** Returns what the node of a workflow says about how it uses its members. Empty for cards of type `agent`. */
export function workflowFace(card: Card): { readonly workflow?: WorkflowFace } {
  switch (card.type) {
    case 'agent':
      return {};
    case 'chain':
      return face(`${counted(card.sequence.length, 'step')}${card.cumulative ? ', cumulative' : ' in order'}`);
    case 'parallel':
      return face(`${card.fanOut.length} at once${card.fanIn === undefined ? ', answers joined' : ''}`, 'fork');
    case 'evaluator_optimizer':
      return face(undefined);
    case 'router':
      return face(card.agents.length < 2 ? 'chooses' : `one of ${card.agents.length}`, 'choice');
    case 'orchestrator':
      return card.planType === 'iterative'
        ? face(`step by step, ${card.planIterations > 0 ? `≤ ${card.planIterations}` : 'until done'}`, 'replan')
        : face(
            `plan, ${card.planIterations > 0 ? `≤ ${counted(card.planIterations, 'round')}` : 'until done'}`,
            'plan',
          );
    case 'iterative_planner':
      return face(card.planIterations > 0 ? `≤ ${counted(card.planIterations, 'plan')}` : 'until done', 'replan');
    case 'MAKER':
      return face(`first to lead by ${card.k}`, 'vote');
    case 'a2a':
      return face(hostOf(card.url));
  }
}

/** Returns the limit of an evaluator loop in words. */
export function refinements(most: number): string {
  return `≤ ${counted(most, 'refinement')}`;
}

function face(words: string | undefined, sign?: WorkflowFace['sign']): { readonly workflow: WorkflowFace } {
  return { workflow: { words, sign } };
}

/** Returns the host and port of an address. An address that cannot be read, such as `${A2A_URL}`, is shown as written. */
function hostOf(url: string): string {
  const written = url.trim();
  if (written === '') return 'no address';
  return /^[a-z][a-z0-9+.-]*:\/\/(?:[^@/]*@)?([^/?#]+)/i.exec(written)?.[1] ?? written;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
