import type { NodeId } from '@/lib/graph/graph';
import type { Notice, Pasting, ProjectState, StateStore, TextView } from './project-state';
import { sameIds } from './same';
import { type TextOfNode, textOfNode } from './text-of-node';

/** Shows the text of a selected node. The focus stays where the node was selected. */
function shownText(text: TextOfNode | undefined): Pick<ProjectState, 'openFile' | 'goTo'> {
  if (text?.line === undefined) return { openFile: text?.file, goTo: undefined };
  return { openFile: text.file, goTo: { file: text.file, line: text.line, column: text.column ?? 1, quiet: true } };
}

/** Changes what only the screen shows: selection, open file, tabs, panels, notices. `left` is called when another thing is selected. */
export function sessionActions(store: StateStore, left: () => void) {
  return {
    ...selectionActions(store, left),
    /**
     * Opens a text file in the wide editor, and selects the agent that it defines. `of` is the node that the file is opened
     * for, such as the agent of a hook; it is selected if the file defines no agent.
     */
    openFile(file: string, place?: { readonly line: number; readonly column: number }, of?: NodeId) {
      const { picture: shown, selection } = store.getState();
      const card = shown.drawn.cards.find((one) => one.file === file);
      const id = card === undefined ? of : `agent:${card.name}`;
      store.setState({
        openFile: file,
        goTo: { file, line: place?.line ?? 1, column: place?.column ?? 1 },
        textView: 'wide',
        inspectorTab: 'card',
        narrowPanel: 'text',
        wanted: { panel: 'text' },
        selection: id === undefined ? [] : selection.includes(id) ? selection : [id],
        selectedEdge: undefined,
      });
    },
    /** Changes tabs and panels, which are not part of the document. */
    show(
      part: Partial<
        Pick<
          ProjectState,
          'inspectorTab' | 'dockTab' | 'narrowPanel' | 'renaming' | 'picking' | 'pasteField' | 'shownHook'
        >
      >,
    ) {
      const needsInspector = part.inspectorTab !== undefined || part.narrowPanel === 'inspector';
      const { mayEdit } = store.getState();
      store.setState({
        ...part,
        ...(part.inspectorTab !== undefined && { shownHook: part.shownHook }),
        ...(!mayEdit && { renaming: undefined, picking: undefined, pasteField: false }),
        ...(needsInspector && { textView: 'side' as const }),
        ...(part.narrowPanel !== undefined && { wanted: { panel: part.narrowPanel } }),
      });
    },
    /** Moves the cursor in a file that is open, wherever it is shown. */
    goTo(file: string, place: { readonly line: number; readonly column: number }) {
      store.setState({ goTo: { file, line: place.line, column: place.column } });
    },
    /** Shows the open file in the wide editor, or back in the Card tab of the inspector. */
    showText(textView: TextView) {
      const panel = textView === 'wide' ? 'text' : 'inspector';
      store.setState({ textView, inspectorTab: 'card', narrowPanel: panel, wanted: { panel } });
    },
    /** Closes the wide editor. The file stays the open one. */
    closeText() {
      store.setState({ textView: 'side', narrowPanel: 'canvas' });
    },
    /** Asks before something is pasted. `undefined` closes the question. */
    ask(pasting: Pasting | undefined) {
      store.setState({ pasting });
    },
    notify(notice: Notice | undefined) {
      store.setState({ notice });
    },
  };
}

/** Changes what is selected, and shows where it is. */
function selectionActions(store: StateStore, left: () => void) {
  function select(ids: readonly NodeId[]) {
    const { selection, selectedEdge, picture: shown, document } = store.getState();
    if (selectedEdge === undefined && sameIds(ids, selection)) return;
    left();
    const only = ids.length === 1 ? shown.nodes.get(ids[0] ?? '') : undefined;
    store.setState({
      selection: ids,
      selectedEdge: undefined,
      shownHook: undefined,
      ...(only === undefined ? {} : shownText(textOfNode(document.folder, shown.drawn, only))),
    });
  }

  return {
    select,
    /** Selects a node and shows where it is. */
    goToNode(id: NodeId) {
      select([id]);
      store.setState({ pointed: { id } });
    },
    /** Ends the halo of a node, unless another one was asked for since. */
    endHalo(pointed: ProjectState['pointed']) {
      if (store.getState().pointed === pointed) store.setState({ pointed: undefined });
    },
    selectEdge(edgeId: string | undefined) {
      if (edgeId === store.getState().selectedEdge) return;
      left();
      // The form of an edge is in the inspector, whose place the wide editor takes.
      store.setState({
        selectedEdge: edgeId,
        ...(edgeId === undefined ? {} : { selection: [], textView: 'side' as const }),
      });
    },
  };
}
