import { applyEdit, type EditedDocument, textFile, withChanges } from './document';
import { followAgent, followCorrected } from './follow-agent';
import type { Picture } from './picture';
import type { ProjectPorts, ProjectState, StateStore, TypedName } from './project-state';

/**
 * Typing in the text editor. Letters of a name make a new agent of each half-typed name, whose references and place would be
 * lost, so a name counts when the cursor leaves its line:
 *
 *   name: writer ──type──▶ name: auth   (drawn as writer, marked stale) ──leave the line──▶ references follow, one undo step
 *
 * While the card cannot be read, nothing can follow. References follow with the edit that corrects it.
 */
export function typingActions(
  store: StateStore,
  ports: Pick<ProjectPorts, 'now' | 'nextFrame'>,
  change: {
    /** Changes the document; the picture may follow a frame later. */
    readonly setTyped: (document: EditedDocument) => void;
    readonly setDocument: (document: EditedDocument) => void;
    readonly refresh: () => void;
  },
) {
  const tell = (text: string | undefined) => {
    if (text !== undefined) store.setState({ notice: { tone: 'info', text } });
  };

  return {
    /** Changes the text of a file as typed. */
    typeText(file: string, text: string) {
      const state = store.getState();
      const typedName = typedNameAfter(state, file, text);
      const last = state.document.past.at(-1)?.burst;
      const key = `type:${file}`;
      // A name is one undo step, however long it takes to type it.
      const goesOn = typedName !== undefined && state.typedName?.file === file && last?.key === key;
      const burst = { key, at: goesOn ? last.at : ports.now() };
      const typed = new Map([[file, textFile(text)]]);
      const corrected = typedName === undefined ? followCorrected(state.document, typed) : undefined;
      const changes = corrected?.changes ?? typed;
      const document = applyEdit(state.document, changes, { label: `Type in ${file}`, burst });
      if (document === state.document) return;
      store.setState({ typedName });
      if (corrected === undefined) return change.setTyped(document);
      change.setDocument(document);
      tell(corrected.said);
    },
    /** Ends the typing of a name: references to the agent follow. Does nothing if no name is being typed. */
    settleName() {
      const { typedName, document } = store.getState();
      if (typedName === undefined) return;
      store.setState({ typedName: undefined });
      const followed = followAgent(document.folder, typedName.file, typedName.from);
      if (!followed.ok) {
        change.refresh();
        store.setState({ notice: { tone: 'bad', text: followed.error.message } });
        return;
      }
      const last = document.past.at(-1);
      const burst = last?.burst;
      const { changes, said } = followed.value;
      const next = applyEdit(document, changes, { label: last?.label ?? 'Rename', ...(burst && { burst }) });
      if (next === document) change.refresh();
      else change.setDocument(next);
      tell(said);
    },
  };
}

/** Returns the folder to draw: the card whose name is being typed has its text before. */
export function drawnFolder({ document, typedName }: Pick<ProjectState, 'document' | 'typedName'>) {
  if (typedName === undefined) return document.folder;
  return withChanges(document.folder, new Map([[typedName.file, typedName.good]]));
}

/** Marks the card whose name is being typed as drawn from an older text. */
export function markTyped(picture: Picture, typedName: TypedName | undefined): Picture {
  return typedName === undefined ? picture : { ...picture, stale: new Set([...picture.stale, typedName.file]) };
}

function typedNameAfter(state: ProjectState, file: string, text: string): TypedName | undefined {
  const { typedName, document, picture } = state;
  const held = typedName?.file === file ? typedName : undefined;
  const good = held?.good ?? document.folder.get(file);
  if (good?.kind !== 'text' || !isNameLine(good.text, text)) return undefined;
  if (held !== undefined) return text === good.text ? undefined : held;
  const card = picture.drawn.cards.find((one) => one.file === file);
  return card && !picture.stale.has(file) ? { file, from: card.name, good } : undefined;
}

/** True if the texts differ only inside the line of the name, which both have. */
function isNameLine(before: string, after: string): boolean {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  const start = before.lastIndexOf('\n', head - 1) + 1;
  const line = /^["']?name["']?[ \t]*:/;
  if (!line.test(before.slice(start, start + 40)) || !line.test(after.slice(start, start + 40))) return false;
  const endBefore = before.indexOf('\n', start);
  const endAfter = after.indexOf('\n', start);
  return endBefore !== -1 && endAfter !== -1 && before.slice(endBefore) === after.slice(endAfter);
}
