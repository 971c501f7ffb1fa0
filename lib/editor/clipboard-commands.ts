import { ok } from '@/lib/base/result';
import type { NodeId } from '@/lib/graph/graph';
import { copyAgents, pasteAgents } from './clipboard';
import type { Editing } from './editing';
import type { ProjectStore } from './project-store';

/** Commands that copy, paste and duplicate agents. */
export function clipboardCommands({ state, folder, apply }: Editing, actions: ProjectStore['actions']) {
  /** Pastes agents. Returns false when the text is not copied agents. */
  function paste(text: string): boolean {
    const pasted = pasteAgents(folder(), text);
    if (pasted === undefined) return false;
    const changes = pasted.ok ? ok(pasted.value.changes) : pasted;
    if (apply(changes, { label: 'Paste' }) && pasted.ok) actions.select(pasted.value.ids);
    return true;
  }

  return {
    /** Returns the selected agents as text for the clipboard. */
    copy(): string | undefined {
      return copyAgents(folder(), state().picture.graph, state().selection);
    },
    paste,
    duplicate(id: NodeId) {
      const text = copyAgents(folder(), state().picture.graph, [id]);
      if (text !== undefined) paste(text);
    },
  };
}
