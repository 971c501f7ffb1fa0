'use client';

import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { useRemembered } from '@/components/ui/remembered';
import { themeCookie } from './theme-script';

export type ThemeChoice = 'light' | 'dark' | 'system';
export type Theme = 'light' | 'dark';

const darkQuery = '(prefers-color-scheme: dark)';

/** Returns the theme chosen in this browser, and whether that means light or dark now. */
export function useTheme(): {
  readonly choice: ThemeChoice;
  readonly theme: Theme;
  readonly choose: (choice: ThemeChoice) => void;
} {
  const [stored, remember] = useRemembered('theme', 'system');
  const systemDark = useSyncExternalStore(
    (listener) => {
      const query = window.matchMedia(darkQuery);
      query.addEventListener('change', listener);
      return () => query.removeEventListener('change', listener);
    },
    () => window.matchMedia(darkQuery).matches,
    () => false,
  );
  const choose = useCallback(
    (next: ThemeChoice) => {
      remember(next);
      // biome-ignore lint/suspicious/noDocumentCookie: a page without TLS has no Cookie Store API.
      document.cookie = themeCookie(next);
    },
    [remember],
  );
  const choice = stored === 'light' || stored === 'dark' ? stored : 'system';
  return { choice, theme: choice === 'system' ? (systemDark ? 'dark' : 'light') : choice, choose };
}

/** Keeps `<html data-theme>` as chosen. The script in the document's head sets it before the first paint. */
export function useThemeOnDocument() {
  const { theme } = useTheme();
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
  }, [theme]);
}
