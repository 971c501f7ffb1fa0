import type { DockStorage } from '@/lib/editor/dock-memory';
import type { EditorPage } from '@/lib/editor/keep-up';
import { browserHistory } from './browser-history';
import { openWindow } from './browser-window';

/** The page of this browser window, as the editor follows it. */
export const browserPage: EditorPage & { readonly session: () => DockStorage } = {
  session: () => window.sessionStorage,
  get storage() {
    return window.localStorage;
  },
  history: browserHistory,
  openWindow,
  onLeave: (listener) =>
    listen(window, 'pagehide', () => {
      // A field that writes into the document when it loses the focus does so now.
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      listener();
    }),
  onHide: (listener) =>
    listen(document, 'visibilitychange', () => {
      if (document.visibilityState === 'hidden') listener();
    }),
  onReturn(listener) {
    const stops = [
      listen(document, 'visibilitychange', () => {
        if (document.visibilityState === 'visible') listener();
      }),
      listen(window, 'online', listener),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  },
  warnBeforeLeaving: (isNeeded) =>
    listen(window, 'beforeunload', (event) => {
      if (isNeeded()) event.preventDefault();
    }),
  joinOthers(projectId, onSaved) {
    const channel = new BroadcastChannel(`callboard:project:${projectId}`);
    channel.onmessage = onSaved;
    return { tellSaved: () => channel.postMessage('saved'), leave: () => channel.close() };
  },
};

function listen(target: EventTarget, type: string, listener: (event: Event) => void): () => void {
  target.addEventListener(type, listener);
  return () => target.removeEventListener(type, listener);
}
