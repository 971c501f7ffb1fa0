import type { EditorPage } from '@/lib/editor/keep-up';

/** The page of this browser window, as the editor follows it. */
export const browserPage: EditorPage = {
  get storage() {
    return window.localStorage;
  },
  onLeave(listener) {
    window.addEventListener('pagehide', listener);
    return () => window.removeEventListener('pagehide', listener);
  },
  onReturn(listener) {
    const onChange = () => {
      if (document.visibilityState === 'visible') listener();
    };
    document.addEventListener('visibilitychange', onChange);
    return () => document.removeEventListener('visibilitychange', onChange);
  },
};
