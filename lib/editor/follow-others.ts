import type { Presence } from '@/lib/base/presence';
import type { EditorPage } from './keep-up';
import { createPresence, type PresenceServices, type PresenceSession } from './presence';
import type { ProjectState } from './project-state';
import type { ProjectStore } from './project-store';
import type { EditorServices } from './services';

const alone: PresenceServices = {
  say: async () => undefined,
  leave: async () => undefined,
  watch: () => () => undefined,
};

/** Makes the session that tells others what is selected in a project, and follows what they save. */
export function openPresence(
  { store, actions }: ProjectStore,
  services: Pick<EditorServices, 'newerThan' | 'presence'>,
): PresenceSession {
  const { say, leave, watch } = services.presence ?? alone;
  const session = createPresence(
    { id: crypto.randomUUID(), draft: store.getState().draft },
    {
      ...{ say, leave, watch },
      onVersion(version) {
        // A save that is under way answers for itself.
        const { saved, saving } = store.getState();
        if (saving || version <= saved.version) return;
        void follow(saved.version);
      },
      onTaken: (text) => actions.notify({ tone: 'info', text }),
    },
    placeIn(store.getState()),
  );
  /** What a script saves is told. Of people who are here one sees what they do. */
  async function follow(known: number) {
    const newer = await services.newerThan(known);
    if (newer !== undefined) actions.follow(newer, { live: session.store.getState().beside.length > 0 });
  }
  return session;
}

/** Says where this window is while the page is looked at, until the returned function is called. */
export function showPresence(
  { store }: ProjectStore,
  { actions }: PresenceSession,
  page: Pick<EditorPage, 'onLeave' | 'onHide' | 'onReturn'>,
): () => void {
  actions.come();
  const stops = [
    store.subscribe((state, before) => {
      const [now, was] = [placeIn(state), placeIn(before)];
      if (now.file !== was.file || now.selected.join('\n') !== was.selected.join('\n')) actions.move(now);
    }),
    page.onHide(actions.go),
    page.onLeave(actions.go),
    page.onReturn(actions.come),
  ];
  return () => {
    for (const stop of stops) stop();
    actions.go();
  };
}

const mostSelected = 20;

function placeIn(state: ProjectState): Omit<Presence['place'], 'editing' | 'taken'> {
  const { selection, selectedEdge, openFile, inspectorTab, textView } = state;
  const isText = inspectorTab === 'card' || textView === 'wide';
  return {
    page: 'editor',
    selected: selectedEdge !== undefined ? [selectedEdge] : selection.slice(0, mostSelected),
    ...(isText && openFile !== undefined && { file: openFile }),
  };
}
