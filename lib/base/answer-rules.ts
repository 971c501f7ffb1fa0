import type { Decision, PendingQuestion } from './pending';

/** Returns what a person may decide about a question. To refuse is always possible, and never reads as success. */
export function decisionsFor({
  what,
  editable,
  form,
}: Pick<PendingQuestion, 'what' | 'editable' | 'form'>): readonly Decision[] {
  switch (what) {
    case 'input':
    case 'external':
      return ['answer', 'deny'];
    case 'question':
      // Without a form it asks for consent to open an address.
      return form === undefined ? ['approve', 'deny', 'cancel'] : ['answer', 'deny', 'cancel'];
    case 'approval':
    case 'attachment':
    case 'sampling':
      return editable === true ? ['approve', 'edit', 'deny'] : ['approve', 'deny'];
    case 'hook':
    case 'budget':
      return form === undefined ? ['approve', 'deny'] : ['approve', 'answer', 'deny'];
  }
}
